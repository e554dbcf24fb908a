import textsimp.demo

demo = textsimp.demo.build_demo("word_transformations")

if __name__ == "__main__":
    demo.launch()
