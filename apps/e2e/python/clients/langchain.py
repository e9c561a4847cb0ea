"""Of both packages: what differs is the model."""

import json

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool

from scene import Answer, City, failure_of_status, weather

failure_of = failure_of_status


@tool
def get_weather(city: str, days: int) -> str:
    """The weather of a city"""
    return weather(city, days)


async def answer_of(model, question, on_piece):
    messages, told = [HumanMessage(content_of(question))], Answer()
    if question.wants_city:
        return await city_of(model, messages, on_piece)
    bound = model.bind_tools([get_weather]) if question.offers_tool else model
    while True:
        message = await turn(bound, messages, on_piece)
        if not message.tool_calls:
            break
        messages.append(message)
        for call in message.tool_calls:
            told.tool_inputs.append(call["args"])
            messages.append(ToolMessage(await get_weather.ainvoke(call["args"]), tool_call_id=call["id"]))
    told.text = message.text
    return told.count(message.usage_metadata, "input_tokens", "output_tokens")


async def turn(model, messages, on_piece):
    if on_piece is None:
        return await model.ainvoke(messages)
    whole = None
    async for chunk in model.astream(messages):
        whole = chunk if whole is None else whole + chunk
        if chunk.text:
            on_piece(chunk.text)
    return whole


async def city_of(model, messages, on_piece):
    structured = model.with_structured_output(City, method="json_schema")
    if on_piece is None:
        city = await structured.ainvoke(messages)
    else:
        async for city in structured.astream(messages):
            on_piece(str(city))
    return Answer(text=json.dumps(city.model_dump()))


def content_of(question):
    if question.picture is None:
        return question.prompt
    picture = {"type": "image", "base64": question.picture_base64, "mime_type": "image/png"}
    return [picture, {"type": "text", "text": question.prompt}]
