/** Nano-dollars a token: those of `openai/gpt-5.5` in config/catalog.yaml. */
export const PRICES = { input: 5000, cached_input: 500, output: 30_000 };

export const CREDENTIALS = 5;
const numbers = Array.from({ length: CREDENTIALS }, (_, at) => at + 1);

/** The accounts of a candidate at the provider. */
export const keysOf = (candidate) => numbers.map((number) => `sk-${candidate}-${number}`);

/** Variables with the accounts of Svc. */
export const providerKeys = Object.fromEntries(
  keysOf('svc').map((key, at) => [`BENCH_PROVIDER_KEY_${at + 1}`, key]),
);

/** One model at one provider, with the pool of the platform's credentials. */
export const catalogOf = (baseUrl) =>
  // JSON is YAML.
  JSON.stringify({
    providers: [
      {
        name: 'simulator',
        protocol: 'openai',
        base_url: baseUrl,
        credential_env: Object.keys(providerKeys),
      },
    ],
    models: [
      { id: 'bench/cached', display_name: 'Cached', context_window: 200_000, max_output_tokens: 8192 },
    ],
    endpoints: [
      {
        model: 'bench/cached',
        provider: 'simulator',
        upstream_model: 'cached-1',
        region: 'eu-west',
        data_retention: 'zero',
        operations: ['chat_completions'],
        prices: PRICES,
      },
    ],
  });
