from clients import langchain_openai_chat
from clients.langchain import failure_of

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    return await langchain_openai_chat.answer(question, on_piece, use_responses_api=True)
