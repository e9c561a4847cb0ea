import json

from clients.openai_sdk import connect, models
from scene import MAX_TOKENS, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, Answer, City, failure_of_status, weather

__all__ = ["answer", "failure_of", "models"]

TOOL = {"type": "function", "name": TOOL_NAME, "description": TOOL_DESCRIPTION, "parameters": TOOL_SCHEMA, "strict": True}

failure_of = failure_of_status


async def answer(question, on_piece):
    client, items, told = connect(question), [user_message(question)], Answer()
    while True:
        response = await turn(client, question, items, on_piece)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            break
        items += [call_of(call) for call in calls]
        for call in calls:
            arguments = json.loads(call.arguments)
            told.tool_inputs.append(arguments)
            items.append({"type": "function_call_output", "call_id": call.call_id, "output": weather(**arguments)})
    told.text = response.output_text
    return told.count(response.usage, "input_tokens", "output_tokens")


async def turn(client, question, items, on_piece):
    params = {
        "model": question.model,
        "max_output_tokens": MAX_TOKENS,
        "input": items,
        "extra_headers": question.headers,
        **({"tools": [TOOL]} if question.offers_tool else {}),
        **({"text_format": City} if question.wants_city else {}),
    }
    if on_piece is None:
        create = client.responses.parse if question.wants_city else client.responses.create
        return await create(**params)
    async with client.responses.stream(**params) as stream:
        async for event in stream:
            if event.type == "response.output_text.delta":
                on_piece(event.delta)
        return await stream.get_final_response()


def user_message(question):
    if question.picture is None:
        return {"role": "user", "content": question.prompt}
    picture = {"type": "input_image", "image_url": question.picture_url, "detail": "auto"}
    return {"role": "user", "content": [picture, {"type": "input_text", "text": question.prompt}]}


def call_of(call):
    return {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
