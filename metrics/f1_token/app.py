import textsimp.demo

demo = textsimp.demo.build_demo("f1_token")

if __name__ == "__main__":
    demo.launch()
