from agents import OpenAIResponsesModel

from clients.openai_agent import answer_of, failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    return await answer_of(OpenAIResponsesModel, question, on_piece)
