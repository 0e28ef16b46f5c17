"""Rows of the service as a pandas DataFrame. Only this file needs pandas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def to_frame(rows: Iterable[Mapping[str, Any]], *, index: str | None = None) -> pandas.DataFrame:
    """A row for each object, with the members of objects within it as columns joined by dots; lists stay lists.

    Columns that hold nothing but RFC 3339 times become times in UTC; other texts, which may be those of strangers, stay as
    they are. `index` names the column that becomes the index. Raises ImportError without pandas.
    """
    import pandas

    frame = pandas.json_normalize([dict(row) for row in rows], sep=".")
    for name in frame.columns:
        known = frame[name].dropna()
        if len(known) > 0 and all(isinstance(value, str) and _TIME.fullmatch(value) for value in known):
            frame[name] = pandas.to_datetime(frame[name], utc=True, format="ISO8601")
    return frame if index is None else frame.set_index(index)
