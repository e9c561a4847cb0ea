from langchain_openai import ChatOpenAI

from clients.langchain import answer_of, failure_of
from scene import MAX_TOKENS

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece, **settings):
    model = ChatOpenAI(
        model=question.model,
        base_url=f"{question.base_url}/v1",
        api_key=question.api_key,
        max_tokens=MAX_TOKENS,
        default_headers=question.headers,
        stream_usage=True,
        **settings,
    )
    return await answer_of(model, question, on_piece)
