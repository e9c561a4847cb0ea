import { envCredential, type Catalog, type Provider } from '@svc/catalog';
import { createMetrics } from '@svc/runtime/observability';
import { FakeClock } from '@svc/testing';
import { CredentialHealths } from '../credentials/credential-healths';
import { PlatformCredentials } from '../credentials/platform-credentials';
import { watchCredentials } from './credential-metrics';

const acme: Provider = {
  name: 'acme',
  protocol: 'openai',
  baseUrl: 'http://acme',
  credentialEnv: [envCredential('A'), envCredential('B'), envCredential('UNSET')],
};
const catalog: Catalog = {
  providers: new Map([
    ['acme', acme],
    ['open', { ...acme, name: 'open', credentialEnv: null }],
  ]),
  models: new Map(),
  aliases: new Map(),
  extraParameters: new Set(),
  fineTuning: [],
};

it('the health of each credential of the platform that is set is a metric, as it is at the scrape', async () => {
  const registry = createMetrics('edge');
  const clock = new FakeClock();
  const healths = new CredentialHealths(clock);
  const platform = new PlatformCredentials({ A: 'sk-a', B: 'sk-b' });
  watchCredentials(registry, { catalog: { current: () => catalog }, platform, healths });
  const series = async () =>
    (await registry.getSingleMetric('svc_provider_credential_health')?.get())?.values.map(
      ({ labels, value }) => [labels['provider'], labels['credential'], labels['health'], value],
    );
  const [first] = platform.of(acme)!.members;
  healths.refused(first, 'refused', { endpointId: 'e', sentAtMs: clock.now(), headers: {} });
  expect(await series()).toEqual([
    ['acme', 'A', 'refused', 1],
    ['acme', 'B', 'ok', 1],
  ]);
  healths.succeeded(first, { endpointId: 'e', sentAtMs: clock.now(), headers: {} });
  expect(await series()).toContainEqual(['acme', 'A', 'ok', 1]);
});
