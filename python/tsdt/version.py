"""The version, known without looking for the installed package. A test holds it to pyproject.toml."""

VERSION = "0.1.0"
