import { CatalogError } from './catalog-source';
import { envCredential } from './env-credentials';
import { type CatalogEnvironment } from './fill-variables';
import { parseCatalog } from './parse-catalog';

const read = (text: string, env: CatalogEnvironment = {}) =>
  parseCatalog(text, { file: 'catalog.yaml', env });

function problemsOf(text: string, env: CatalogEnvironment = {}): readonly string[] {
  try {
    read(text, env);
  } catch (error) {
    if (error instanceof CatalogError) return error.problems;
    throw error;
  }
  return [];
}

const provider = (baseUrl: string) => `
providers:
  - name: acme
    protocol: openai
    base_url: ${baseUrl}
models: []
endpoints: []
`;

const complete = `
providers:
  - name: acme
    protocol: openai
    base_url: http://127.0.0.1:9001/v1/
    credential_env: ACME_API_KEY
  - name: open
    protocol: anthropic
    base_url: https://open.example
models:
  - id: acme/small
    display_name: Acme Small
    context_window: 128000
    max_output_tokens: 4096
    created: 2026-01-02
  - { id: acme/idle, display_name: Acme Idle, context_window: 10, max_output_tokens: 5 }
endpoints:
  - model: acme/small
    provider: acme
    upstream_model: small-1
    region: eu-west
    data_retention: zero
    operations: [chat_completions]
    parameters: [temperature]
    extra_parameters: [min_p, top_k]
    usage: estimated
    prices:
      input: 150
      output: 600.5
      cached_input: 37.5
      cache_write: 190
      long_prompt: { above: 1000, input: 300, output: 1200 }
    timeout_ms: { first_byte: 1000 }
  - model: acme/small
    provider: open
    upstream_model: small-1
    region: us
    data_retention: retained
    prices: { input: 1, output: 0.000001 }
    betas:
      context-1m-2025-08-07: { context_window: 1000000, prices: { input: 2, output: 3 } }
`;

describe('parseCatalog', () => {
  it('reads every field of a provider, a model and an endpoint', () => {
    const { providers, models, extraParameters } = read(complete);
    expect(extraParameters).toEqual(new Set(['min_p', 'top_k']));
    expect(providers.get('acme')).toEqual({
      name: 'acme',
      protocol: 'openai',
      baseUrl: 'http://127.0.0.1:9001/v1',
      credentialEnv: [envCredential('ACME_API_KEY')],
    });
    const model = models.get('acme/small');
    expect(model).toMatchObject({
      displayName: 'Acme Small',
      contextWindow: 128_000,
      maxOutputTokens: 4096,
      createdAtSeconds: Date.UTC(2026, 0, 2) / 1000,
    });
    expect(model?.endpoints[0]).toEqual({
      id: 'acme/small|acme|eu-west|small-1',
      modelId: 'acme/small',
      provider: providers.get('acme'),
      upstreamModel: 'small-1',
      region: 'eu-west',
      dataRetention: 'zero',
      operations: new Set(['chat_completions']),
      parameters: new Set(['temperature']),
      extraParameters: new Set(['min_p', 'top_k']),
      usage: 'estimated',
      prices: {
        input: 150_000_000n,
        output: 600_500_000n,
        cachedInput: 37_500_000n,
        cacheWrite: 190_000_000n,
        longPrompt: {
          aboveTokens: 1000,
          input: 300_000_000n,
          output: 1_200_000_000n,
          cachedInput: 300_000_000n,
          cacheWrite: 300_000_000n,
        },
      },
      timeouts: { firstByteMs: 1000, idleMs: 60_000 },
    });
  });

  it('fills in the defaults of an endpoint and a model', () => {
    const { providers, models } = read(complete);
    expect(providers.get('open')?.credentialEnv).toBeNull();
    expect(models.get('acme/idle')).toMatchObject({ createdAtSeconds: 0, endpoints: [] });
    expect(models.get('acme/small')?.endpoints[1]).toMatchObject({
      operations: new Set(['chat_completions', 'messages']),
      parameters: null,
      usage: 'reported',
      prices: { input: 1_000_000n, output: 1n, cachedInput: 1_000_000n, cacheWrite: 1_000_000n },
      timeouts: { firstByteMs: 60_000, idleMs: 60_000 },
      betas: new Map([
        [
          'context-1m-2025-08-07',
          {
            contextWindow: 1_000_000,
            prices: {
              input: 2_000_000n,
              output: 3_000_000n,
              cachedInput: 2_000_000n,
              cacheWrite: 2_000_000n,
            },
          },
        ],
      ]),
    });
  });

  it.each([
    [
      '{ a: { prices: { input: 1, output: -1 } } }',
      '.a.prices.output: must be at least 0 with at most 6 decimals',
    ],
    ['{ a: {} }', '.a.prices: is missing'],
    ['{ "b c": { prices: { input: 1, output: 1 } } }', '.b c: must be a name'],
    ['1', ': must be a mapping'],
  ])('refuses the betas %s', (betas, problem) => {
    expect(problemsOf(complete.replace(/betas:\n.*\n/, `betas: ${betas}\n`))).toEqual([
      expect.stringContaining(`endpoints[1].betas${problem}`),
    ]);
  });

  const speaking = (protocol: string, fields: string): string => `
providers: [{ name: acme, protocol: ${protocol}, base_url: https://acme.example }]
models: [{ id: acme/small, display_name: Small, context_window: 9, max_output_tokens: 9 }]
endpoints:
  - model: acme/small
    provider: acme
    upstream_model: small-1
    region: us
    data_retention: zero
    ${fields}
    prices: { input: 20, output: 0 }
`;

  it('takes responses and built-in tools at a provider that speaks openai', () => {
    const fields = 'operations: [responses]\n    built_in_tools: [mcp]';
    expect(read(speaking('openai', fields)).models.get('acme/small')?.endpoints).toMatchObject([
      { operations: new Set(['responses']), builtInTools: new Set(['mcp']) },
    ]);
    expect(problemsOf(speaking('anthropic', fields))).toEqual([
      'catalog.yaml:10: endpoints[0].operations[0]: responses need a provider that speaks openai',
    ]);
    expect(problemsOf(speaking('openai', 'built_in_tools: [mcp]'))).toEqual([
      'catalog.yaml:10: endpoints[0].built_in_tools: needs the operation responses',
    ]);
    expect(problemsOf(speaking('openai', 'text_input_only: true'))).toEqual([
      'catalog.yaml:10: endpoints[0].text_input_only: needs the operation embeddings',
    ]);
  });

  it('refuses betas at a provider that is never sent any', () => {
    expect(problemsOf(complete.replace('protocol: anthropic', 'protocol: openai'))).toEqual([
      expect.stringContaining('endpoints[1].betas: needs a provider that speaks anthropic'),
    ]);
  });

  const embeds = (model: string, protocol: string, operations: string) => `
providers: [{ name: acme, protocol: ${protocol}, base_url: https://acme.example }]
models: [{ id: acme/embed, display_name: Acme Embed, context_window: 8192${model} }]
endpoints:
  - model: acme/embed
    provider: acme
    upstream_model: embed-1
    region: us
    data_retention: zero
    operations: ${operations}
    prices: { input: 20, output: 0 }
`;

  it('wants no output limit of a model that only embeddings serve', () => {
    expect(read(embeds('', 'openai', '[embeddings]')).models.get('acme/embed')?.maxOutputTokens).toBe(0);
    expect(problemsOf(embeds('', 'openai', '[embeddings, chat_completions]'))).toEqual([
      'catalog.yaml:3: models[0].max_output_tokens: is missing',
    ]);
    expect(problemsOf(embeds(', max_output_tokens: 9', 'openai', '[embeddings, messages]'))).toEqual([]);
  });

  it('refuses embeddings at a provider of a protocol without them', () => {
    expect(problemsOf(embeds('', 'anthropic', '[embeddings]'))).toEqual([
      'catalog.yaml:10: endpoints[0].operations[0]: embeddings need a provider that speaks openai',
    ]);
  });

  it('lists a variable that cannot be read where it is named', () => {
    const problem = 'ACME_API_KEY_FILE names an empty file: /run/secrets/acme';
    const env = Object.defineProperty({}, 'ACME_API_KEY', {
      get: () => {
        throw new Error(problem);
      },
    }) as CatalogEnvironment;
    expect(problemsOf(complete, env)).toEqual([`catalog.yaml:6: providers[0].credential_env: ${problem}`]);
    expect(problemsOf(provider('http://127.0.0.1/${ACME_API_KEY:-none}'), env)).toEqual([
      `catalog.yaml:5: providers[0].base_url: ${problem}`,
    ]);
  });

  const pooled = (list: string) =>
    complete.replace('credential_env: ACME_API_KEY', `credential_env: ${list}`);

  it('reads several credentials of a provider, with their weights and rates', () => {
    const { providers } = read(
      pooled('[A, {env: B, weight: 0, rate_limit_rpm: 500, rate_limit_tpm: 9}, {env: C}]'),
    );
    expect(providers.get('acme')?.credentialEnv).toEqual([
      envCredential('A'),
      { env: 'B', weight: 0, rateLimitRpm: 500, rateLimitTpm: 9 },
      envCredential('C'),
    ]);
  });

  it.each([
    ['[]', '', 'must name a variable'],
    ['[A, A]', '[1]', 'A is listed twice'],
    ['[A, {env: A}]', '[1]', 'A is listed twice'],
    ['[a-b]', '[0]', 'must be the name of a variable'],
    ['[{env: A, weight: 1001}]', '[0].weight', 'must be from 0 to 1000'],
    ['[{env: A, colour: red}]', '[0].colour', 'unknown field'],
    ['[{env: A, rate_limit_rpm: 0}]', '[0].rate_limit_rpm', 'must be above 0'],
  ])('refuses the credentials %s', (list, path, problem) => {
    expect(problemsOf(pooled(list))).toEqual([
      `catalog.yaml:6: providers[0].credential_env${path}: ${problem}`,
    ]);
  });

  it.each(['7', '[7]', '[{weight: 1}]', '[{env: A, weight: heavy}]'])(
    'refuses credentials of the form %s',
    (list) => {
      const [problem, ...more] = problemsOf(pooled(list));
      expect(more).toEqual([]);
      expect(problem).toMatch(
        /^catalog\.yaml:6: providers\[0\]\.credential_env.*: must be the name of a variable, or a list/,
      );
    },
  );

  it('lists every problem with its line, in the order of the file', () => {
    const text = `providers:
  - name: acme
    protocol: smoke
    base_url: \${ACME_URL}/v1
    region: eu
  - name: acme
    protocol: openai
    base_url: ftp://acme.example
models:
  - id: no-creator
    context_window: 0
    max_output_tokens: 1.5
    created: 2026-02-30
  - just text
endpoints:
  - model: acme/small
    provider: nobody
    upstream_model: small-1
    region: eu
    data_retention: maybe
    prices: { input: -1, output: 1.0000001, gift: 2 }
  - { model: acme/small, provider: nobody, upstream_model: small-1, region: eu }
extra: 1
`;
    expect(problemsOf(text)).toEqual([
      'catalog.yaml:3: providers[0].protocol: must be openai or anthropic',
      'catalog.yaml:4: providers[0].base_url: needs the variable ACME_URL, which is not set',
      'catalog.yaml:5: providers[0].region: unknown field',
      'catalog.yaml:6: providers[1]: acme is listed twice',
      'catalog.yaml:8: providers[1].base_url: must be an http or https address without user, query and fragment',
      'catalog.yaml:10: models[0].id: must have the form <creator>/<model>',
      'catalog.yaml:10: models[0].display_name: is missing',
      'catalog.yaml:11: models[0].context_window: must be above 0',
      'catalog.yaml:12: models[0].max_output_tokens: must be a whole number',
      'catalog.yaml:13: models[0].created: must be a date, YYYY-MM-DD',
      'catalog.yaml:14: models[1]: must be a mapping',
      'catalog.yaml:16: endpoints[0].model: acme/small is not listed',
      'catalog.yaml:17: endpoints[0].provider: nobody is not listed',
      'catalog.yaml:20: endpoints[0].data_retention: must be zero or retained',
      'catalog.yaml:21: endpoints[0].prices.input: must be at least 0 with at most 6 decimals',
      'catalog.yaml:21: endpoints[0].prices.output: must be at least 0 with at most 6 decimals',
      'catalog.yaml:21: endpoints[0].prices.gift: unknown field',
      'catalog.yaml:22: endpoints[1].data_retention: is missing',
      'catalog.yaml:22: endpoints[1].prices: is missing',
      'catalog.yaml:22: endpoints[1]: acme/small|nobody|eu|small-1 is listed twice',
      'catalog.yaml:22: endpoints[1].provider: nobody is not listed',
      'catalog.yaml:22: endpoints[1].model: acme/small is not listed',
      'catalog.yaml:23: extra: unknown field',
    ]);
  });

  it.each([
    ['', ['catalog.yaml:1: must be a mapping with providers, models, endpoints']],
    ['- providers', ['catalog.yaml:1: must be a mapping with providers, models, endpoints']],
    ['providers: []\nmodels: []\nmodels: []', ['catalog.yaml:3: Map keys must be unique']],
    [
      'providers: 1',
      [
        'catalog.yaml:1: providers: must be a list',
        'catalog.yaml:1: models: is missing',
        'catalog.yaml:1: endpoints: is missing',
      ],
    ],
  ])('refuses a file that is no catalog: %j', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it.each([
    ['${URL}/v1', { URL: 'http://up.example' }, 'http://up.example/v1'],
    ['${URL:-http://127.0.0.1:9101}/v1', {}, 'http://127.0.0.1:9101/v1'],
    ['${URL:-http://127.0.0.1:9101}/v1', { URL: '' }, 'http://127.0.0.1:9101/v1'],
    ['${URL:-http://127.0.0.1:9101}/v1', { URL: 'https://up.example' }, 'https://up.example/v1'],
  ])('fills %s from the environment %j', (written, env, url) => {
    expect(read(provider(written), env).providers.get('acme')?.baseUrl).toBe(url);
  });

  it.each(['file:///etc', 'acme.example', 'https://user:pass@acme.example', 'https://acme.example/?key=1'])(
    'refuses the address %s and does not repeat it',
    (address) => {
      const problems = problemsOf(provider(address));
      expect(problems).toHaveLength(1);
      expect(problems[0]).not.toContain(address);
    },
  );
});
