"""Of both models: what differs is the model."""

import json

from agents import Agent, ModelSettings, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from scene import MAX_TOKENS, TOOL_DESCRIPTION, TOOL_NAME, Answer, City, failure_of_status, weather

failure_of = failure_of_status
set_tracing_disabled(True)


async def answer_of(model_class, question, on_piece):
    told = Answer()

    @function_tool(name_override=TOOL_NAME, description_override=TOOL_DESCRIPTION)
    def get_weather(city: str, days: int) -> str:
        told.tool_inputs.append({"city": city, "days": days})
        return weather(city, days)

    client = AsyncOpenAI(base_url=f"{question.base_url}/v1", api_key=question.api_key)
    agent = Agent(
        name="Assistant",
        model=model_class(model=question.model, openai_client=client),
        model_settings=ModelSettings(max_tokens=MAX_TOKENS, include_usage=True, extra_headers=question.headers),
        tools=[get_weather] if question.offers_tool else [],
        output_type=City if question.wants_city else None,
    )
    if on_piece is None:
        result = await Runner.run(agent, input_of(question))
    else:
        result = Runner.run_streamed(agent, input_of(question))
        async for event in result.stream_events():
            if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
                on_piece(event.data.delta)
    output = result.final_output
    told.text = json.dumps(output.model_dump()) if isinstance(output, City) else output
    return told.count(result.context_wrapper.usage, "input_tokens", "output_tokens")


def input_of(question):
    if question.picture is None:
        return question.prompt
    picture = {"type": "input_image", "image_url": question.picture_url, "detail": "auto"}
    return [{"role": "user", "content": [picture, {"type": "input_text", "text": question.prompt}]}]
