"""Schemathesis tries the service as the owner of an organization and as the operator, and holds each answer to its CPU time."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from typing import Any

import schemathesis

SVC = json.loads(os.environ["SVC_FUZZED"])
CPU_SECONDS_MAX = 1.0
TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")
# A call may end the session, revoke the key, suspend the organization or limit its rate. Soon there is another session or key,
# and the organization is as before.
RENEW_SECONDS = 5
UNHINDERED = {"state": "active", "rate_limit_rpm": None, "rate_limit_tpm": None}

# Python's regular expressions have no classes of Unicode.
CLASSES = {
    r"\p{Cc}": r"\x00-\x1f\x7f-\x9f",
    # No text that is made has half of a surrogate pair.
    r"\p{Cs}": "",
    r"\p{Zl}": r"\u2028",
    r"\p{Zp}": r"\u2029",
    r"\p{Bidi_C}": r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069",
}


def ask(method: str, path: str, headers: dict[str, str], body: Any = None) -> tuple[Any, Any]:
    """Returns the body and the headers of an answer. Raises HTTPError for any that is no 2xx."""
    data = None if body is None else json.dumps(body).encode()
    json_headers = {**headers, "Content-Type": "application/json"}
    call = urllib.request.Request(SVC["base_url"] + path, data, json_headers, method=method)
    with urllib.request.urlopen(call, timeout=30) as answer:
        return json.loads(answer.read() or b"null"), answer.headers


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def new_session() -> dict[str, str]:
    login = {"email": SVC["owner_email"], "password": SVC["owner_password"]}
    _, headers = ask("POST", "/auth/login", {}, login)
    cookie = "; ".join(line.split(";")[0] for line in headers.get_all("Set-Cookie"))
    session, _ = ask("GET", "/auth/session", {"Cookie": cookie})
    return {"Cookie": cookie, "X-CSRF-Token": session["csrf_token"]}


def live_key(session: dict[str, str]) -> str:
    try:
        ask("GET", "/v1/models", bearer(SVC["api_key"]))
    except urllib.error.HTTPError:
        made, _ = ask("POST", "/api/v1/keys", session, {"name": "Fuzzer", "scopes": SVC["scopes"]})
        SVC["api_key"] = made["key"]
    return SVC["api_key"]


@schemathesis.auth(refresh_interval=RENEW_SECONDS)
class Callers:
    """The headers of each kind of caller, by the name of its scheme in the document."""

    def get(self, case: schemathesis.Case, context: Any) -> dict[str, dict[str, str]]:
        operator = bearer(SVC["platform_token"])
        ask("PATCH", f"/platform/v1/organizations/{SVC['organization_id']}", operator, UNHINDERED)
        session = new_session()
        return {
            "apiKey": bearer(live_key(session)),
            "session": session,
            "operator": operator,
            "metrics": bearer(SVC["metrics_token"]),
        }

    def set(self, case: schemathesis.Case, data: dict[str, dict[str, str]], context: Any) -> None:
        required = case.operation.definition.raw.get("security", [])
        schemes = {scheme for requirement in required for scheme in requirement}
        for scheme, headers in data.items():
            if scheme in schemes:
                case.headers.update(headers)
                return


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    for name, part in raw_schema.items():
        raw_schema[name] = readable(part)


def readable(node: Any) -> Any:
    """The same part of the document with patterns that Python can read."""
    if isinstance(node, list):
        return [readable(item) for item in node]
    if not isinstance(node, dict):
        return node
    return {
        name: plain(value) if name == "pattern" and isinstance(value, str) else readable(value)
        for name, value in node.items()
    }


def plain(pattern: str) -> str:
    for name, characters in CLASSES.items():
        pattern = pattern.replace(name, characters)
    return pattern


def cpu_seconds() -> float:
    with open(f"/proc/{SVC['pid']}/stat", encoding="ascii") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_A_SECOND


spent = {"before": 0.0, "by_call": 0.0}


@schemathesis.hook
def before_call(context: Any, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    spent["before"] = cpu_seconds()


@schemathesis.hook
def after_call(context: Any, case: schemathesis.Case, response: schemathesis.Response) -> None:
    spent["by_call"] = cpu_seconds() - spent["before"]


@schemathesis.check
def cpu_of_an_answer(ctx: Any, response: schemathesis.Response, case: schemathesis.Case) -> None:
    if spent["by_call"] > CPU_SECONDS_MAX:
        raise AssertionError(f"The answer took {spent['by_call']:.1f} s of CPU.")
