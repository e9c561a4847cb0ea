import json

from openai import AsyncOpenAI

from scene import MAX_TOKENS, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, Answer, City, failure_of_status, weather

TOOL = {
    "type": "function",
    "function": {"name": TOOL_NAME, "description": TOOL_DESCRIPTION, "parameters": TOOL_SCHEMA, "strict": True},
}

failure_of = failure_of_status


def connect(question):
    return AsyncOpenAI(base_url=f"{question.base_url}/v1", api_key=question.api_key)


async def answer(question, on_piece):
    client, messages, told = connect(question), [user_message(question)], Answer()
    while True:
        completion = await turn(client, question, messages, on_piece)
        message = completion.choices[0].message
        calls = message.tool_calls or []
        if not calls:
            break
        messages.append({"role": "assistant", "content": message.content, "tool_calls": [call_of(call) for call in calls]})
        for call in calls:
            arguments = json.loads(call.function.arguments)
            told.tool_inputs.append(arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": weather(**arguments)})
    told.text = message.content or ""
    return told.count(completion.usage, "prompt_tokens", "completion_tokens")


async def turn(client, question, messages, on_piece):
    params = {
        "model": question.model,
        "max_completion_tokens": MAX_TOKENS,
        "messages": messages,
        "extra_headers": question.headers,
        **({"tools": [TOOL]} if question.offers_tool else {}),
        **({"response_format": City} if question.wants_city else {}),
    }
    if on_piece is None:
        create = client.chat.completions.parse if question.wants_city else client.chat.completions.create
        return await create(**params)
    async with client.chat.completions.stream(**params, stream_options={"include_usage": True}) as stream:
        async for event in stream:
            if event.type == "content.delta":
                on_piece(event.delta)
        return await stream.get_final_completion()


def user_message(question):
    if question.picture is None:
        return {"role": "user", "content": question.prompt}
    picture = {"type": "image_url", "image_url": {"url": question.picture_url}}
    return {"role": "user", "content": [picture, {"type": "text", "text": question.prompt}]}


def call_of(call):
    function = {"name": call.function.name, "arguments": call.function.arguments}
    return {"id": call.id, "type": "function", "function": function}


async def models(question):
    return [model.id async for model in connect(question).models.list()]


async def embed(question):
    dimensions = {} if question.dimensions is None else {"dimensions": question.dimensions}
    told = await connect(question).embeddings.create(model=question.model, input=question.texts, **dimensions)
    return [entry.embedding for entry in told.data]
