"""The demonstration ends with the smallest tree that knows the rule, whichever engine learned it."""

from __future__ import annotations

import pytest

from tsdt import demo


def test_the_demonstration_finds_the_rule(capsys: pytest.CaptureFixture[str]) -> None:
    demo.main()
    said = capsys.readouterr().out
    assert "8 leaves, 7 questions" in said and "100.0% on 10,000 robots" in said
    assert said.count("leaves\n") == demo.SAMPLES // demo.STEP  # a line of progress every so often
