from anthropic import AsyncAnthropic

from scene import MAX_TOKENS, TOOL_DESCRIPTION, TOOL_NAME, TOOL_SCHEMA, Answer, City, failure_of_status, weather

TOOL = {"name": TOOL_NAME, "description": TOOL_DESCRIPTION, "input_schema": TOOL_SCHEMA}

failure_of = failure_of_status


def connect(question):
    return AsyncAnthropic(base_url=question.base_url, api_key=question.api_key)


async def answer(question, on_piece):
    client, messages, told = connect(question), [user_message(question)], Answer()
    while True:
        message = await turn(client, question, messages, on_piece)
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            break
        messages.append({"role": "assistant", "content": message.content})
        told.tool_inputs += [call.input for call in calls]
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": weather(**call.input)} for call in calls]
        messages.append({"role": "user", "content": results})
    told.text = "".join(block.text for block in message.content if block.type == "text")
    return told.count(message.usage, "input_tokens", "output_tokens")


async def turn(client, question, messages, on_piece):
    params = {
        "model": question.model,
        "max_tokens": MAX_TOKENS,
        "messages": messages,
        "extra_headers": question.headers,
        **({"tools": [TOOL]} if question.offers_tool else {}),
        **({"output_config": {"format": {"type": "json_schema", "schema": City.model_json_schema()}}} if question.wants_city else {}),
    }
    if on_piece is None:
        return await client.messages.create(**params)
    async with client.messages.stream(**params) as stream:
        async for text in stream.text_stream:
            on_piece(text)
        return await stream.get_final_message()


def user_message(question):
    if question.picture is None:
        return {"role": "user", "content": question.prompt}
    source = {"type": "base64", "media_type": "image/png", "data": question.picture_base64}
    return {"role": "user", "content": [{"type": "image", "source": source}, {"type": "text", "text": question.prompt}]}


async def models(question):
    return [model.id async for model in connect(question).models.list()]


async def count_tokens(question):
    counted = await connect(question).messages.count_tokens(model=question.model, messages=[user_message(question)])
    return counted.input_tokens
