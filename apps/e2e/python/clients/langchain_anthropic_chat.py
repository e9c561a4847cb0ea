from langchain_anthropic import ChatAnthropic
from langchain_core.messages import HumanMessage

from clients.langchain import answer_of, content_of, failure_of
from scene import MAX_TOKENS

__all__ = ["answer", "count_tokens", "failure_of"]


def model_for(question):
    return ChatAnthropic(
        model=question.model,
        base_url=question.base_url,
        api_key=question.api_key,
        max_tokens=MAX_TOKENS,
        default_headers=question.headers,
    )


async def answer(question, on_piece):
    return await answer_of(model_for(question), question, on_piece)


async def count_tokens(question):
    return model_for(question).get_num_tokens_from_messages([HumanMessage(content_of(question))])
