import textsimp.demo

demo = textsimp.demo.build_demo("lexical_substitution")

if __name__ == "__main__":
    demo.launch()
