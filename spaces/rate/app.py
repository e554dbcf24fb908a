import textsimp.demo

demo = textsimp.demo.build_rate()

if __name__ == "__main__":
    demo.launch()
