import textsimp.demo

demo = textsimp.demo.build_demo("edit_ops")

if __name__ == "__main__":
    demo.launch()
