"""Files with any contents."""

import pytest


@pytest.fixture
def file(tmp_path):
    """``file(contents, name)``: writes bytes or a text; the path."""

    def write(contents, name="a.txt"):
        path = tmp_path / name
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        return str(path)

    return write
