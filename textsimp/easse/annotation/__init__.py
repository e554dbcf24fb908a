"""Word-level annotation, which textsimp has by other aligners than EASSE's."""
