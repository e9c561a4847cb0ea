"""What the specs ask of every client, and how an answer is told."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from pydantic import BaseModel, ConfigDict

MAX_TOKENS = 400
TOOL_NAME = "get_weather"
TOOL_DESCRIPTION = "The weather of a city"
TOOL_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city", "days"],
    "additionalProperties": False,
}

OnPiece = Optional[Callable[[str], None]]


class City(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    people: int


@dataclass(frozen=True)
class Question:
    base_url: str
    api_key: str
    model: str
    prompt: str
    picture: bytes | None
    offers_tool: bool
    wants_city: bool
    headers: dict[str, str]
    texts: list[str]
    dimensions: int | None

    @staticmethod
    def read(told: dict[str, Any]) -> "Question":
        picture = told.get("picture")
        return Question(
            base_url=told["baseUrl"],
            api_key=told["apiKey"],
            model=told.get("model", ""),
            prompt=told.get("prompt", ""),
            picture=base64.b64decode(picture) if picture else None,
            offers_tool=told.get("offersTool", False),
            wants_city=told.get("wantsCity", False),
            headers=told.get("headers", {}),
            texts=told.get("texts", []),
            dimensions=told.get("dimensions"),
        )

    @property
    def picture_base64(self) -> str:
        return base64.b64encode(self.picture or b"").decode()

    @property
    def picture_url(self) -> str:
        return f"data:image/png;base64,{self.picture_base64}"


@dataclass
class Answer:
    text: str = ""
    tool_inputs: list[Any] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0

    def count(self, usage: Any, of_input: str, of_output: str) -> "Answer":
        """Takes the counts of a usage report, where the client was told one."""
        read = usage.get if isinstance(usage, dict) else lambda name: getattr(usage, name, None)
        self.input_tokens, self.output_tokens = read(of_input) or 0, read(of_output) or 0
        return self

    def told(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "toolInputs": self.tool_inputs,
            "inputTokens": self.input_tokens,
            "outputTokens": self.output_tokens,
        }


def weather(city: str, days: int) -> str:
    """The weather of a city."""
    return "Sunny, 21 degrees" if city == "Basel" else "Rain"


def failure_of_status(error: Exception) -> dict[str, Any] | None:
    """Of errors that are made like those of the official SDKs; None for any other."""
    status = getattr(error, "status_code", None)
    if status is None:
        return None
    body = getattr(error, "body", None)
    told = body.get("error", body) if isinstance(body, dict) else {}
    return {
        "status": status,
        "message": str(error),
        "code": getattr(error, "code", None) or told.get("code"),
        "requestId": getattr(error, "request_id", None) or told.get("request_id"),
    }
