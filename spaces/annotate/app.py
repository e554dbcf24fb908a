import textsimp.demo

demo = textsimp.demo.build_annotate()

if __name__ == "__main__":
    demo.launch()
