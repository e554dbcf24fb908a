import textsimp.demo

demo = textsimp.demo.build_demo("split_f1")

if __name__ == "__main__":
    demo.launch()
