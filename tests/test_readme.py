"""The README opens with a picture and the lines that made it: they run, and the picture is there."""

import re
from pathlib import Path

import pytest

from tsdt.engine import engine_name

ROOT = Path(__file__).parents[1]


@pytest.mark.skipif(engine_name() == "python", reason="the lines of the README take the compiled engine")
def test_the_first_lines_make_a_picture(tmp_path, monkeypatch, capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (ROOT / re.search(r"!\[.*?\]\((.*?)\)", text)[1]).exists()
    lines = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    assert len([line for line in lines.splitlines() if line.strip()]) <= 10
    monkeypatch.chdir(tmp_path)
    exec(compile(lines, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("value 0.9")
    assert "flavanoids" in Path("wine.svg").read_text(encoding="utf-8")
