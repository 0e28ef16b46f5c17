"""The client: every operation as a method, and what callers would otherwise write again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Any

from .api import Job, Operations
from .http import AssayConnectionError, AssayProblem, Retry, Sender, new_key

_REPLY_GRACE_SECONDS = 15.0
_JOB_PAUSE_SECONDS = 1.0


class Client(Operations):
    """A client of one service. Opens nothing before the first call; threads may share it."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retry: Retry = Retry(),
        most_bytes: int = 67_108_864,
    ) -> None:
        """Without `base_url` and `api_key`: ASSAY_URL and ASSAY_API_KEY of the environment.

        `timeout`: seconds for one attempt. Raises ValueError for an address that is none.
        """
        address = base_url or os.environ.get("ASSAY_URL", "")
        key = api_key or os.environ.get("ASSAY_API_KEY")
        self._sender = Sender(address, key, timeout=timeout, most_bytes=most_bytes, retry=retry)
        self._waiting = Sender(address, key, timeout=timeout + 60 + _REPLY_GRACE_SECONDS, most_bytes=most_bytes, retry=retry)

    def score(self, request: Any, *, wait_seconds: int = 60) -> Any:
        """Scores a project and waits for the result, at most `wait_seconds` (1 to 60) in one request and then by its job.

        Sent under an Idempotency-Key, so that a lost reply is no second job.
        """
        reply = self._waiting.call(
            "POST",
            "/v1/score",
            headers={"Prefer": f"wait={min(60, max(1, wait_seconds))}", "Idempotency-Key": new_key()},
            body=request,
        )
        return reply if "rating" in reply else self.job_result(reply["job_id"], output_format=request.get("output_format"))

    def job_result(self, job_id: str, *, output_format: Any = None, within_seconds: float = 600.0) -> Any:
        """Waits until the job ends and gives its result. Raises AssayProblem with what the job failed for."""
        ends = time.monotonic() + within_seconds
        while True:
            job: Job = self.get_job(job_id, output_format=output_format)
            if job["state"] == "succeeded":
                return job["result"]
            error = job.get("error")
            if error:
                raise AssayProblem(int(error["status"]), error, None)
            if job["state"] not in ("queued", "running"):
                raise AssayConnectionError("unreadable", f"the job {job_id} is {job['state']}")
            if time.monotonic() > ends:
                raise AssayConnectionError("timeout", f"the job {job_id} takes longer than {within_seconds} s")
            time.sleep(_JOB_PAUSE_SECONDS)

    def items(self, operation: Callable[..., Any], *path: str, **query: Any) -> Iterator[Any]:
        """Items of a list over all its pages: `client.items(client.list_ratings, sort="-score")`."""
        cursor: str | None = query.pop("cursor", None)
        while True:
            page = operation(*path, **query, **({} if cursor is None else {"cursor": cursor}))
            yield from page["data"]
            if page["next_cursor"] is None:
                return
            if page["next_cursor"] == cursor:
                raise AssayConnectionError("unreadable", "a page names itself as the next: the list would never end")
            cursor = page["next_cursor"]
