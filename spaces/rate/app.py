from textsimp.extensions.people.page import build_rate

demo = build_rate()

if __name__ == "__main__":
    demo.launch()
