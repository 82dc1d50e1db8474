"""The classifier among River's: pipelines, `evaluate`, `model_selection`, ensembles. Needs `tsdt[river]`."""

try:
    import river  # noqa: F401
except ImportError as error:
    raise ImportError("tsdt.river needs River, which is not installed: pip install 'tsdt[river]'") from error

from tsdt.river.classifier import TSDTClassifier

__all__ = ["TSDTClassifier"]
