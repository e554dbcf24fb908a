import os

import textsimp.demo

# A Space with storage that stays keeps answers there, if this variable names a folder in it.
demo = textsimp.demo.build_annotate(folder=os.environ.get("TEXTSIMP_ANNOTATIONS"))

if __name__ == "__main__":
    demo.launch()
