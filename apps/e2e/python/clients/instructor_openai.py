import json

import instructor
from instructor.core import InstructorRetryException

from clients.openai_sdk import connect, user_message
from scene import MAX_TOKENS, Answer, City, failure_of_status


def failure_of(error):
    cause = error.__cause__ if isinstance(error, InstructorRetryException) else error
    while cause is not None and failure_of_status(cause) is None:
        cause = cause.__cause__ or cause.__context__
    return failure_of_status(cause) if cause is not None else None


async def answer(question, on_piece):
    client = instructor.from_openai(connect(question), mode=instructor.Mode.JSON_SCHEMA)
    params = {
        "model": question.model,
        "messages": [user_message(question)],
        "response_model": City,
        "max_completion_tokens": MAX_TOKENS,
        "extra_headers": question.headers,
        "max_retries": 0,
    }
    if on_piece is None:
        city, completion = await client.chat.completions.create_with_completion(**params)
        return Answer(json.dumps(city.model_dump())).count(completion.usage, "prompt_tokens", "completion_tokens")
    async for city in client.chat.completions.create_partial(**params):
        on_piece(str(city))
    return Answer(json.dumps(city.model_dump()))
