import fc from 'fast-check';
import { type PolicyTriple } from '../meet';
import { readDocumentOf } from '../policy-document';

const namesOf = (...names: string[]) => ({
  allowed: fc.option(fc.subarray(names)),
  denied: fc.subarray(names),
});
const providers = namesOf('open', 'keyed', 'anthropic');
const regions = namesOf('eu', 'us');
const models = namesOf('acme/small', 'acme/large');
const operations = namesOf('chat_completions', 'messages', 'responses', 'embeddings');
const count = fc.option(fc.integer({ min: 1, max: 4 }));
const retention = fc.constantFrom('none', 'metadata', 'content');

const everywhere = {
  allowed_providers: providers.allowed,
  denied_providers: providers.denied,
  allowed_regions: regions.allowed,
  denied_regions: regions.denied,
  allowed_models: models.allowed,
  denied_models: models.denied,
  allowed_operations: operations.allowed,
  denied_operations: operations.denied,
  require_zero_retention: fc.boolean(),
  require_end_user: fc.boolean(),
  max_output_tokens: count,
  max_cost_nanos: fc.option(fc.nat(3)),
};
const endUserRates = { end_user_rate_limit_rpm: count, end_user_rate_limit_tpm: count };

/** Documents as they are written: any field may be absent. */
const written = (fields: Record<string, fc.Arbitrary<unknown>>) => fc.record(fields, { requiredKeys: [] });

const organization = written({
  ...everywhere,
  ...endUserRates,
  retention,
  sort: fc.constantFrom('price', 'latency', 'throughput'),
  max_attempts: count,
  credential_mode: fc.constantFrom('own_first', 'own_only', 'platform_only'),
  affinity: fc.constantFrom('auto', 'always', 'off'),
  rollouts: fc.constantFrom(
    [],
    [{ name: 'a', model: 'acme/small', to: { region: 'us' }, share_bps: 500, by: 'api_key' }],
  ),
}).map((document) => readDocumentOf('organization', document));
const project = written({
  ...everywhere,
  ...endUserRates,
  retention: fc.option(retention),
  rate_limit_rpm: count,
  rate_limit_tpm: count,
}).map((document) => readDocumentOf('project', document));
const key = written({
  ...everywhere,
  retention: fc.option(retention),
  allowed_ips: fc.option(fc.subarray(['192.0.2.1', '192.0.2.2'])),
}).map((document) => readDocumentOf('key', document));

export const arbitraryTriple: fc.Arbitrary<PolicyTriple> = fc.record({
  organization,
  project: fc.option(project),
  key: fc.option(key),
});
