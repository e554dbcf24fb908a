import textsimp.demo

demo = textsimp.demo.build_demo("simplification_stats")

if __name__ == "__main__":
    demo.launch()
