from clients.litellm_client import answer_of, failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    return await answer_of("anthropic", question.base_url, question, on_piece)
