"""Of both models: what differs is the model."""

import json

from pydantic_ai import Agent, BinaryContent, NativeOutput
from pydantic_ai.exceptions import ModelHTTPError

from scene import MAX_TOKENS, TOOL_DESCRIPTION, TOOL_NAME, Answer, City, weather


def failure_of(error):
    if not isinstance(error, ModelHTTPError):
        return None
    told = error.body.get("error", error.body) if isinstance(error.body, dict) else {}
    return {
        "status": error.status_code,
        "message": str(error),
        "code": told.get("code"),
        "requestId": told.get("request_id"),
    }


async def answer_of(model, question, on_piece):
    told = Answer()
    settings = {"max_tokens": MAX_TOKENS, "extra_headers": question.headers}
    agent = Agent(model, output_type=NativeOutput(City) if question.wants_city else str, model_settings=settings)

    def get_weather(city: str, days: int) -> str:
        told.tool_inputs.append({"city": city, "days": days})
        return weather(city, days)

    if question.offers_tool:
        agent.tool_plain(name=TOOL_NAME, description=TOOL_DESCRIPTION)(get_weather)
    picture = [BinaryContent(data=question.picture, media_type="image/png")] if question.picture else []
    prompt = [*picture, question.prompt]
    if on_piece is None:
        result = await agent.run(prompt)
        output = result.output
    else:
        async with agent.run_stream(prompt) as result:
            if question.wants_city:
                async for part in result.stream_output(debounce_by=None):
                    on_piece(str(part))
            else:
                async for piece in result.stream_text(delta=True, debounce_by=None):
                    on_piece(piece)
            output = await result.get_output()
    told.text = json.dumps(output.model_dump()) if isinstance(output, City) else output
    usage = result.usage() if callable(result.usage) else result.usage
    return told.count(usage, "input_tokens", "output_tokens")
