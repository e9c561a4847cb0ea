const PRICES = '{ input: 150, output: 600, cached_input: 75 }';
// Without a cheaper cache: else calls would return to the endpoint that answered instead of the failing one.
const UNCACHED = '{ input: 150, output: 600 }';
const CHEAPER = '{ input: 100, output: 400 }';

/** `protocol`: that of the upstream's answer of this name. `operations`: what it serves, where not the usual. */
const upstreams = [
  { name: 'plain', protocol: 'openai' },
  { name: 'stream-50', protocol: 'openai' },
  { name: 'stream-500', protocol: 'openai' },
  { name: 'paced-500', protocol: 'openai' },
  { name: 'responses-50', protocol: 'openai', operations: ['responses'] },
  { name: 'embeddings', protocol: 'openai', operations: ['embeddings'] },
  { name: 'failing', protocol: 'openai' },
  { name: 'anthropic', protocol: 'anthropic' },
];

/** The names of the answers that an OpenAI-compatible provider gives. */
export const openAiAnswers = upstreams
  .filter(({ protocol }) => protocol === 'openai')
  .map(({ name }) => name);

/** A model for each answer of the upstream, `bench/<name>`; and `bench/fallback`, whose first endpoint fails. */
export function catalog(port) {
  const models = [...upstreams.map(({ name }) => name), 'fallback'];
  const endpoints = [
    ...upstreams.map(({ name, operations }) => ({ model: name, provider: name, prices: PRICES, operations })),
    { model: 'fallback', provider: 'failing', prices: CHEAPER },
    { model: 'fallback', provider: 'plain', prices: UNCACHED },
  ];
  return `providers:
${upstreams
  .map(
    ({ name, protocol }) => `  - name: ${name}
    protocol: ${protocol}
    base_url: http://127.0.0.1:${port}/${name}/v1
    credential_env: BENCH_PROVIDER_KEY`,
  )
  .join('\n')}
models:
${models
  .map(
    (name) => `  - id: bench/${name}
    display_name: ${name}
    context_window: 200000
    max_output_tokens: 8192`,
  )
  .join('\n')}
endpoints:
${endpoints
  .map(
    ({ model, provider, prices, operations }) => `  - model: bench/${model}
    provider: ${provider}
    upstream_model: bench-1
    region: eu-west
    data_retention: zero${operations ? `\n    operations: [${operations.join(', ')}]` : ''}
    prices: ${prices}`,
  )
  .join('\n')}
`;
}
