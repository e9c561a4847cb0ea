import { CatalogError } from './catalog-source';
import { parseCatalog } from './parse-catalog';

const catalog = (endpoint: object, provider: object = {}) =>
  JSON.stringify({
    providers: [{ name: 'acme', protocol: 'openai', base_url: 'http://127.0.0.1:1', ...provider }],
    models: [{ id: 'acme/small', display_name: 'Small', context_window: 10, max_output_tokens: 5 }],
    endpoints: [
      {
        model: 'acme/small',
        provider: 'acme',
        upstream_model: 'small-1',
        region: 'eu',
        data_retention: 'zero',
        prices: { input: 1, output: 1 },
        ...endpoint,
      },
    ],
  });
const endpointOf = (...parts: Parameters<typeof catalog>) =>
  parseCatalog(catalog(...parts), { file: 'catalog.yaml', env: {} }).models.get('acme/small')?.endpoints[0];

function problemsOf(...parts: Parameters<typeof catalog>): readonly string[] {
  try {
    endpointOf(...parts);
  } catch (error) {
    if (error instanceof CatalogError)
      return error.problems.map((line) => line.split(': ').slice(1).join(': '));
    throw error;
  }
  return [];
}

describe('what a model takes', () => {
  it('is anything by default', () => {
    expect(endpointOf({})).not.toHaveProperty('takes');
  });

  it('is what its endpoint says, and else its provider', () => {
    const endpoint = { takes: { temperature: [1], 'thinking.type': [] }, takes_one_of: [['a', 'b']] };
    const provider = { takes: { temperature: [0], n: [1] }, reasoning_fields: ['reasoning'] };
    expect(endpointOf(endpoint, provider)).toMatchObject({
      takes: { values: { temperature: [1], 'thinking.type': [], n: [1] }, oneOf: [['a', 'b']] },
      provider: { reasoningFields: ['reasoning'] },
    });
    expect(endpointOf({}, provider)).toMatchObject({ takes: { values: provider.takes, oneOf: [] } });
  });

  it('is what its provider says of chat messages', () => {
    const form = {
      members: ['content'],
      developer_role: false,
      call_id_length: 9,
      reasoning_of_calls: 'reasoning',
    };
    expect(endpointOf({}, { chat_messages: form })?.provider.chatForm).toEqual({
      members: ['content'],
      developerRole: false,
      callIdLength: 9,
      reasoningOfCalls: 'reasoning',
      strictToolNames: false,
      strictOrder: false,
      systemAlone: true,
      emptyText: true,
    });
    expect(endpointOf({}, { chat_messages: {} })?.provider.chatForm).toEqual({
      developerRole: true,
      strictToolNames: false,
      strictOrder: false,
      systemAlone: true,
      emptyText: true,
    });
    expect(endpointOf({})?.provider).not.toHaveProperty('chatForm');
    expect(problemsOf({}, { chat_messages: { call_id_length: 3 } })).toEqual([
      'providers[0].chat_messages.call_id_length: must be from 8 to 40',
    ]);
  });

  it.each<[object, RegExp]>([
    [{ takes: { 'a.b.c': [1] } }, /must be a parameter/],
    [{ takes: { temperature: 1 } }, /must be a list/],
    [{ takes: { temperature: [{}] } }, /must be a text, a number, true or false/],
    [{ takes_one_of: [['temperature']] }, /must name two parameters/],
  ])('is a problem as %j', (endpoint, problem) => {
    expect(problemsOf(endpoint)).toEqual([expect.stringMatching(problem)]);
  });
});
