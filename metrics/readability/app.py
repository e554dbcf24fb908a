import textsimp.demo

demo = textsimp.demo.build_demo("readability")

if __name__ == "__main__":
    demo.launch()
