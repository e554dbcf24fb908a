import textsimp.demo

demo = textsimp.demo.build_demo("fkgl_components")

if __name__ == "__main__":
    demo.launch()
