import textsimp.demo

demo = textsimp.demo.build_splits()

if __name__ == "__main__":
    demo.launch()
