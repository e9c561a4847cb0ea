"""Drives one client library: commands come as lines of JSON on stdin, answers go as such lines to stdout."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import sys
import traceback
from typing import Any

from scene import Question

# Libraries print to stdout too: the answers get a descriptor of their own.
answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
os.dup2(sys.stderr.fileno(), sys.stdout.fileno())


def tell(command: dict[str, Any], more: dict[str, Any]) -> None:
    print(json.dumps({"id": command["id"], **more}), file=answers, flush=True)


async def run(client: Any, command: dict[str, Any]) -> None:
    question = Question.read(command["question"])
    try:
        if command["what"] == "models":
            result = await client.models(question)
        elif command["what"] == "count_tokens":
            result = await client.count_tokens(question)
        elif command["what"] == "embed":
            result = await client.embed(question)
        else:
            streamed = command["what"] == "stream"
            answer = await client.answer(question, (lambda piece: tell(command, {"piece": piece})) if streamed else None)
            result = answer.told()
        tell(command, {"result": result})
    except asyncio.CancelledError:
        tell(command, {"failure": {"message": "cancelled"}})
    except Exception as error:  # noqa: BLE001: whatever the library raises is what its user gets
        failure = client.failure_of(error)
        tell(command, {"failure": failure or {"message": f"{error!r}\n{traceback.format_exc()}"}})


async def main(name: str) -> None:
    client = importlib.import_module(f"clients.{name}")
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    running: dict[int, asyncio.Task[None]] = {}
    while line := await lines.readline():
        command = json.loads(line)
        if command["what"] == "abort":
            running[command["id"]].cancel()
        else:
            running[command["id"]] = asyncio.create_task(run(client, command))


asyncio.run(main(sys.argv[1]))
