import { cheapestModel } from './cheapest-model';
import { languages } from './languages';
import { codeOf, snippetOf } from './snippets';

const facts = { origin: 'https://svc.example', key: 'svc_sk_secret', model: 'acme/small' };

describe('the code of a call', () => {
  it.each(languages)(
    'of %s has address, key and model, and marks the key alone as the secret',
    (language) => {
      const parts = snippetOf(language, facts);
      const code = codeOf(parts);
      expect(code).toContain('acme/small');
      expect(code).toContain(
        language.startsWith('anthropic') ? '"https://svc.example"' : 'https://svc.example/v1',
      );
      expect(parts.filter(({ isSecret }) => isSecret).map(({ text }) => text)).toEqual(['svc_sk_secret']);
      expect(parts.filter(({ text }) => text.includes('svc_sk_secret'))).toHaveLength(1);
    },
  );

  it('gives the shell a body that is JSON, whatever the model is called', () => {
    const code = codeOf(snippetOf('curl', { ...facts, model: `it's/"odd"` }));
    const body = /-d '([^]*)'\n$/.exec(code)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? '';
    expect(JSON.parse(body)).toMatchObject({ model: `it's/"odd"`, max_tokens: 100 });
  });
});

describe('the cheapest model', () => {
  const endpoint = (price: number, more = {}) => ({
    operations: ['chat_completions'],
    prices: { input: price, output: price },
    ...more,
  });
  const modelsOf = (models: Record<string, object[]>) =>
    Object.entries(models).map(([id, endpoints]) => ({ id, endpoints })) as unknown as Parameters<
      typeof cheapestModel
    >[0];

  it('is the one with the cheapest endpoint that serves the route and that calls can use', () => {
    const models = modelsOf({
      'a/dear': [endpoint(9)],
      'b/cheap': [endpoint(20), endpoint(3)],
      'c/denied': [endpoint(1, { eligible: false })],
      'd/vectors': [endpoint(0, { operations: ['embeddings'] })],
    });
    expect(cheapestModel(models, 'chat_completions')).toBe('b/cheap');
    expect(cheapestModel(models, 'messages')).toBeNull();
  });
});
