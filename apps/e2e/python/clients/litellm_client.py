"""Of both protocols: what differs is the prefix of the model's name and the address."""

import json

import litellm

from clients.openai_sdk import TOOL, call_of, user_message
from scene import MAX_TOKENS, Answer, City, failure_of_status, weather

failure_of = failure_of_status
litellm.suppress_debug_info = True
litellm.telemetry = False


async def answer_of(prefix, api_base, question, on_piece):
    messages, told = [user_message(question)], Answer()
    params = {
        "model": f"{prefix}/{question.model}",
        "api_base": api_base,
        "api_key": question.api_key,
        "max_tokens": MAX_TOKENS,
        "extra_headers": question.headers,
        "max_retries": 2,
        **({"tools": [TOOL]} if question.offers_tool else {}),
        **({"response_format": City} if question.wants_city else {}),
    }
    while True:
        response = await turn(params, messages, on_piece)
        message = response.choices[0].message
        calls = message.tool_calls or []
        if not calls:
            break
        messages.append({"role": "assistant", "content": message.content, "tool_calls": [call_of(call) for call in calls]})
        for call in calls:
            arguments = json.loads(call.function.arguments)
            told.tool_inputs.append(arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(**arguments)})
    told.text = message.content or ""
    return told.count(response.usage, "prompt_tokens", "completion_tokens")


async def turn(params, messages, on_piece):
    if on_piece is None:
        return await litellm.acompletion(messages=messages, **params)
    chunks = []
    stream = await litellm.acompletion(messages=messages, stream=True, stream_options={"include_usage": True}, **params)
    async for chunk in stream:
        chunks.append(chunk)
        piece = chunk.choices[0].delta.content if chunk.choices else None
        if piece:
            on_piece(piece)
    return litellm.stream_chunk_builder(chunks, messages=messages)
