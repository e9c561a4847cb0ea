from clients.litellm_client import answer_of, failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    return await answer_of("openai", f"{question.base_url}/v1", question, on_piece)
