"""Whether a simplification is still true: information errors (Devaraj et al. 2022)."""
