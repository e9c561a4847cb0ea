import { answersJson, completion, errorOf, message } from '../../testing/answers';
import { catalogOfBoth } from '../../testing/edge-under-test';
import { edgeWorld } from '../../testing/edge-world';

const world = edgeWorld();

const answers = {
  'acme/chat': answersJson(completion({ prompt_tokens: 1, completion_tokens: 1 })),
  'acme/talk': answersJson(message({ input_tokens: 1, output_tokens: 1 })),
};
type ModelId = keyof typeof answers;

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;
const COUNTING = '/v1/messages/count_tokens';
const MODELS: readonly ModelId[] = ['acme/chat', 'acme/talk'];
const FILLINGS = { small: '', large: 'x'.repeat(300 * 1024) } as const;
const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const deepBodies = (levels: number): Record<string, string> => ({
  content: `"messages":[{"role":"user","content":${nested(levels)}}]`,
  metadata: `"messages":[{"role":"user","content":"Hi"}],"metadata":{"a":${nested(levels)}}`,
});

const post = async (
  path: string,
  model: string,
  members: string,
  more: { filling?: string; key?: string | undefined } = {},
) => {
  const { filling = '', key } = more;
  const limit = path === COUNTING ? '' : '"max_tokens":9,';
  const filler = filling === '' ? '' : `"metadata":{"filling":"${filling}"},`;
  return fetch(world.edge.url + path, {
    method: 'POST',
    headers: { 'x-api-key': world.edge.apiKey, ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: `{"model":"${model}",${limit}${filler}${members}}`,
  });
};
const CALLS = ROUTES.flatMap((route) =>
  MODELS.flatMap((model) => [undefined, 'k1'].map((key) => [route, model, key] as const)),
);

describe('a body of 100 000 levels', () => {
  const REFUSED = { status: 400, code: 'invalid_request', param: undefined };

  it.each([...ROUTES, COUNTING])(
    'is refused at %s, at once or on the second thread, which lives on',
    async (path) => {
      await world.start({ catalog: catalogOfBoth(world.upstream.url) });
      for (const filling of Object.values(FILLINGS)) {
        for (const members of Object.values(deepBodies(100_000))) {
          for (const key of [undefined, 'k1']) {
            expect(await errorOf(await post(path, 'acme/chat', members, { filling, key }))).toEqual(REFUSED);
          }
        }
      }
      const { content } = deepBodies(1);
      if (path !== COUNTING) world.upstream.next(answers['acme/chat']);
      const response = await post(path, 'acme/chat', content!, { filling: FILLINGS.large });
      expect(response.status).toBe(200);
    },
  );
});

describe('the deepest body that is taken', () => {
  it.each(CALLS)('is served at %s by the provider of %s, with key %s', async (route, model, key) => {
    await world.start({ catalog: catalogOfBoth(world.upstream.url) });
    for (const filling of Object.values(FILLINGS)) {
      const members = deepBodies(996)[filling === '' ? 'metadata' : 'content']!;
      world.upstream.next(answers[model]);
      const sent = key === undefined ? {} : { key: `${key}-${String(filling.length)}` };
      expect((await post(route, model, members, { filling, ...sent })).status).toBe(200);
    }
  });
});
