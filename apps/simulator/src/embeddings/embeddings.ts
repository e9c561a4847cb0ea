import { type Directive } from '../directive/directive';
import { openaiErrorBody } from '../openai-error';
import { type WireProtocol } from '../wire-protocol';
import { type EmbeddingsCall, readEmbeddingsCall } from './read-embeddings-call';
import { base64Of, vectorOf } from './vector';

/** OpenAI's embeddings. A directive may stand in the last text of the input. */
export const embeddings: WireProtocol = {
  readCall: (body) => {
    const asked = readEmbeddingsCall(body);
    const last = asked.inputs.at(-1);
    return {
      model: asked.model,
      stream: false,
      userText: typeof last === 'string' ? last : '',
      answer: ({ directive }) => ({
        body: () => writeEmbeddings(asked, directive),
        // Embeddings are never streamed.
        frames: () => [],
        failedBody: openaiErrorBody,
        failedFrame: () => '',
      }),
    };
  },
  errorBody: openaiErrorBody,
};

function writeEmbeddings(asked: EmbeddingsCall, directive: Directive): object {
  const { model, inputs, dimensions, encoding } = asked;
  const inputTokenCount = directive.usage?.input_tokens ?? asked.inputTokenCount;
  return {
    object: 'list',
    data: inputs.map((input, index) => {
      const vector = vectorOf(model, input, dimensions);
      const embedding = encoding === 'base64' ? base64Of(vector) : [...vector];
      return { object: 'embedding', index, embedding };
    }),
    model,
    ...(directive.no_usage === true
      ? {}
      : { usage: { prompt_tokens: inputTokenCount, total_tokens: inputTokenCount } }),
  };
}
