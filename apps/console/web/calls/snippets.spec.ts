import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { cheapestModel } from './cheapest-model';
import { languages } from './languages';
import { type JsonObject } from './literals';
import { codeOf, snippetOf } from './snippets';

const body = {
  model: 'acme/small',
  max_tokens: 100,
  messages: [{ role: 'user', content: 'It\'s 5 o\'clock: say "hello"' }],
};
const facts = {
  origin: 'https://svc.example',
  key: 'svc_sk_secret',
  operation: 'chat_completions',
  body,
} as const;

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

  it('gives the shell the body as JSON, whatever is in it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const code = codeOf(snippetOf('curl', { ...facts, body: fields as JsonObject }));
        const sent = /-d '([^]*)'\n$/.exec(code)?.[1]?.replaceAll(String.raw`'\''`, "'") ?? '';
        expect(JSON.stringify(JSON.parse(sent))).toBe(JSON.stringify(fields));
      }),
    );
  });

  it('gives JavaScript the body as a literal that has the same value', () => {
    const code = codeOf(
      snippetOf('openai-javascript', { ...facts, body: { ...body, 'odd-name': [null, true, 0.5] } }),
    );
    const literal = /create\((\{[^]*\})\);/.exec(code)?.[1] ?? '';
    expect(runInNewContext(`JSON.stringify(${literal})`)).toBe(
      JSON.stringify({ ...body, 'odd-name': [null, true, 0.5] }),
    );
  });

  it('gives Python its own words, and what the SDK has no argument for as extra_body', () => {
    const code = codeOf(
      snippetOf('openai-python', {
        ...facts,
        body: { ...body, logprobs: true, stop: null, compat_mode: 'strict' },
      }),
    );
    expect(code).toContain(
      '    logprobs=True,\n    stop=None,\n    extra_body={"compat_mode": "strict"},\n)',
    );
  });

  it.each(languages)('of %s reads a stream where one is asked for', (language) => {
    const code = codeOf(snippetOf(language, { ...facts, body: { ...body, stream: true } }));
    expect(code).toMatch(language === 'curl' ? /"stream": true/ : /for (await )?.*\b(in|of) stream/);
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
