"""Schema: attribute names, kinds, categories, classes, and how a row becomes integer codes. It knows no search."""

from tsdt.schema.attribute import Attribute
from tsdt.schema.missing import OTHER, Other, is_missing
from tsdt.schema.schema import Schema

__all__ = ["OTHER", "Attribute", "Other", "Schema", "is_missing"]
