"""What every room uses: errors, files, optional libraries, the version.

- In: values and files of users.
- Out: an `InputError` that says what is wrong and where, and files that are written whole.
- Read ``errors.py`` first, then ``files.py``.
"""
