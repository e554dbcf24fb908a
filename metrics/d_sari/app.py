import textsimp.demo

demo = textsimp.demo.build_demo("d_sari")

if __name__ == "__main__":
    demo.launch()
