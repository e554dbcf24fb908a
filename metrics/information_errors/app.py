import textsimp.demo

demo = textsimp.demo.build_demo("information_errors")

if __name__ == "__main__":
    demo.launch()
