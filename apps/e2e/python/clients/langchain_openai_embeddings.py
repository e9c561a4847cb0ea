from langchain_openai import OpenAIEmbeddings

from scene import failure_of_status

failure_of = failure_of_status


async def embed(question):
    client = OpenAIEmbeddings(
        model=question.model,
        base_url=f"{question.base_url}/v1",
        api_key=question.api_key,
        dimensions=question.dimensions,
        # Else it sends tokens of its own count in place of the texts.
        check_embedding_ctx_length=False,
    )
    return await client.aembed_documents(question.texts)
