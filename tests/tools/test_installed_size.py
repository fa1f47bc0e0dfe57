from pathlib import Path

import pytest
from tools.installed_size import main


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """Two distributions of 2 and 1 MiB, and the preinstalled ones."""
    sizes = {"a/one.py": 3 * 2**19, "a/deep/two.so": 2**19, "b.py": 2**20, "pip/pip.py": 9 * 2**20}
    names = [*sizes, "a-1.0.dist-info/RECORD", "b-2.0.dist-info/RECORD", "pip-25.dist-info/RECORD"]
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(sizes.get(name, 0)))
    return tmp_path


@pytest.mark.parametrize(("mebibytes", "distributions", "code"), [(3, 2, 0), (2.9, 2, 1), (3, 1, 1)])
def test_too_much_or_too_many_fails(
    packages: Path, capsys: pytest.CaptureFixture[str], mebibytes: float, distributions: int, code: int
) -> None:
    assert main([str(mebibytes), str(distributions), "--folder", str(packages)]) == code
    assert capsys.readouterr().out.startswith("installed: 3 MiB in 2 distributions")
