import textsimp.demo

demo = textsimp.demo.build_demo("word_difficulty")

if __name__ == "__main__":
    demo.launch()
