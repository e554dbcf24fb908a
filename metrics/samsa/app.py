import textsimp.demo

demo = textsimp.demo.build_demo("samsa")

if __name__ == "__main__":
    demo.launch()
