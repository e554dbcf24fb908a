import textsimp.demo

demo = textsimp.demo.build_compare()

if __name__ == "__main__":
    demo.launch()
