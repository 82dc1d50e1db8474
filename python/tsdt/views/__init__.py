"""What people look at and what other programs read. A view takes a finished tree and nothing else.

Each file is one view; the methods of `DecisionTree` (`to_text`, `to_svg`, `rules`, `to_sql`, ...) are the way in.
"""
