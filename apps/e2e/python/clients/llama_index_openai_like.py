from llama_index.llms.openai_like import OpenAILike

from clients.llama_index import answer_of, failure_of
from scene import MAX_TOKENS

__all__ = ["answer", "failure_of"]


async def answer(question, on_piece):
    llm = OpenAILike(
        model=question.model,
        api_base=f"{question.base_url}/v1",
        api_key=question.api_key,
        max_tokens=MAX_TOKENS,
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        context_window=200_000,
        default_headers=question.headers,
        additional_kwargs={"stream_options": {"include_usage": True}} if on_piece is not None else {},
    )
    return await answer_of(llm, question, on_piece)
