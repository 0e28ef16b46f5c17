"""Client of Assay, the self-hostable rating of crypto assets. Needs nothing but the standard library; `to_frame` needs pandas."""

from .client import Client
from .frames import to_frame
from .http import AssayConnectionError, AssayProblem, Retry

__all__ = ["AssayConnectionError", "AssayProblem", "Client", "Retry", "to_frame"]
