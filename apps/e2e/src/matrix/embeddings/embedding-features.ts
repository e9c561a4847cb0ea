import { modelOf, type MatrixWorld } from '../matrix-world';
import { type UpstreamUnderTest } from '../upstreams';
import { type Embed, type EmbeddingQuestion } from './embedding-clients';

/** Features that are tried with every client of embeddings, each with the head of its column. */
export const embeddingFeatureTitles = {
  text: 'one text',
  texts: 'several texts',
  dimensions: 'dimensions',
} as const;

type EmbeddingFeature = keyof typeof embeddingFeatureTitles;

export const embeddingFeatures = Object.keys(embeddingFeatureTitles) as EmbeddingFeature[];

const questions: Readonly<Record<EmbeddingFeature, Omit<EmbeddingQuestion, 'model'>>> = {
  text: { texts: ['Where does the Rhine end?'] },
  texts: { texts: ['Basel', 'Köln', 'Rotterdam'] },
  dimensions: { texts: ['Basel', 'Köln'], dimensions: 64 },
};

/** The client hands out the very numbers that the upstream answers. */
export async function expectEmbeddings(
  world: MatrixWorld,
  upstream: UpstreamUnderTest,
  embed: Embed,
  feature: EmbeddingFeature,
): Promise<void> {
  const question = questions[feature];
  const vectors = await embed({ model: modelOf(upstream, 'embeddings'), ...question });
  const expected = await vectorsOf(world.upstream(upstream).url, `${upstream.name}-embeddings`, question);
  expect(vectors.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  expect(vectors).toHaveLength(question.texts.length);
  const numbers = expected.flat();
  vectors.flat().forEach((number, at) => {
    expect(number).toBeCloseTo(numbers[at] ?? NaN, 6);
  });
}

/** Asked directly, for floats. */
async function vectorsOf(
  url: string,
  model: string,
  { texts, dimensions }: Omit<EmbeddingQuestion, 'model'>,
): Promise<readonly (readonly number[])[]> {
  const answer = await fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: texts, dimensions, encoding_format: 'float' }),
  });
  const { data } = (await answer.json()) as { data: readonly { embedding: readonly number[] }[] };
  return data.map(({ embedding }) => embedding);
}
