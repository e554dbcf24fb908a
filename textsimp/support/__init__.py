"""What every room uses: errors, files, optional libraries, the version."""
