"""Pretrained models of `transformers`: found, loaded once, asked in batches."""
