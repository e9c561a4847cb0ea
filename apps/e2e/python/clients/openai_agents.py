from agents import OpenAIChatCompletionsModel

from clients.openai_agent import answer_of, failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    return await answer_of(OpenAIChatCompletionsModel, question, on_piece)
