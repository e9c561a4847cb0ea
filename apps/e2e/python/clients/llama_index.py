"""Of both packages: what differs is the model."""

import json

from llama_index.core.agent.workflow import AgentStream, FunctionAgent, ToolCallResult
from llama_index.core.llms import ChatMessage, ImageBlock, TextBlock
from llama_index.core.tools import FunctionTool

from scene import TOOL_DESCRIPTION, TOOL_NAME, Answer, City, failure_of_status, weather

failure_of = failure_of_status


async def answer_of(llm, question, on_piece):
    if question.offers_tool:
        return await with_tool(llm, question, on_piece)
    messages = [ChatMessage(role="user", blocks=blocks_of(question))]
    model = llm.as_structured_llm(City) if question.wants_city else llm
    if on_piece is None:
        response = await model.achat(messages)
    else:
        async for response in await model.astream_chat(messages):
            if response.delta:
                on_piece(response.delta)
    if question.wants_city:
        return Answer(text=json.dumps(response.raw.model_dump()))
    return Answer(text=response.message.content).count(response.raw.usage, "prompt_tokens", "completion_tokens")


async def with_tool(llm, question, on_piece):
    tool = FunctionTool.from_defaults(fn=weather, name=TOOL_NAME, description=TOOL_DESCRIPTION)
    agent = FunctionAgent(tools=[tool], llm=llm, streaming=on_piece is not None)
    handler, told = agent.run(question.prompt), Answer()
    async for event in handler.stream_events():
        if isinstance(event, ToolCallResult):
            told.tool_inputs.append(event.tool_kwargs)
        elif isinstance(event, AgentStream) and on_piece is not None and event.delta:
            on_piece(event.delta)
    told.text = str(await handler)
    return told


def blocks_of(question):
    text = TextBlock(text=question.prompt)
    if question.picture is None:
        return [text]
    return [ImageBlock(image=question.picture, image_mimetype="image/png"), text]

