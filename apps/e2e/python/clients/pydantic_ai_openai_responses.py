from pydantic_ai.models.openai import OpenAIResponsesModel
from pydantic_ai.providers.openai import OpenAIProvider

from clients.pydantic_ai_agent import answer_of, failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    provider = OpenAIProvider(base_url=f"{question.base_url}/v1", api_key=question.api_key)
    return await answer_of(OpenAIResponsesModel(question.model, provider=provider), question, on_piece)
