import { eventually } from '@svc/testing';
import { of } from '../distributed/tenant';
import { type CatalogDocument } from '../harness/catalog-file';
import { directed, post } from '../harness/clients';
import { sharedSvc, type SharedSvc } from '../harness/shared-svc';
import { callApi } from '../oauth/oauth-app';

const SMALL = 'test/small';
const LARGE = 'test/large';
/** Two ticks of the worker, and what an edge takes to write. */
const JUDGED_WITHIN_MS = 30_000;

const catalogAt = (url: string): CatalogDocument => ({
  providers: [{ name: 'rollouts', protocol: 'openai', base_url: `${url}/v1` }],
  models: [SMALL, LARGE].map((id) => ({
    ...{ id, display_name: id, context_window: 128_000, max_output_tokens: 4_096 },
  })),
  endpoints: [SMALL, LARGE].map((model) => ({
    ...{ model, provider: 'rollouts', upstream_model: model.replace('test/', 'rolled-'), region: 'eu' },
    ...{ data_retention: 'zero' as const, prices: { input: 100, output: 400 } },
  })),
});

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc({ catalog: catalogAt });
});

const api = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);
/** The larger model fails. */
const call = async () => {
  const broken = directed({ status: 500, only_model: 'rolled-large' }, 'Hello');
  const body = { model: SMALL, max_tokens: 10, messages: [broken] };
  return (await post(svc, '/v1/chat/completions', body)).status;
};
const trial = async () => (of(200, await api('GET', '/rollouts')).data as { id: string; state: string }[])[0];

it('a rollout whose target fails wholly is aborted once it has as many calls as it says, and gets none any more', async () => {
  const abort = { max_error_rate_bps: 5_000, min_calls: 12 };
  const to = { model: LARGE };
  const rollouts = [{ name: 'trial', model: SMALL, to, share_bps: 10_000, by: 'api_key', abort }];
  of(200, await api('PUT', '/policy', { rollouts }));
  // Edges hear of the policy soon.
  await eventually(async () => {
    expect(await call()).toBe(502);
  });
  // The circuit of the target opens: from then on calls stay where they were, and count as failed.
  const statuses: number[] = [];
  for (let nth = 0; nth < 14; nth++) statuses.push(await call());
  expect(statuses.at(-1)).toBe(200);
  await eventually(async () => {
    expect(await trial()).toMatchObject({
      ...{ state: 'aborted', reason: 'error_rate' },
      arms: { treatment: { error_rate_bps: 10_000 } },
    });
  }, JUDGED_WITHIN_MS);
  await svc.simulator.clearJournal();
  for (let nth = 0; nth < 10; nth++) expect(await call()).toBe(200);
  expect(new Set((await svc.simulator.journal()).map(({ model }) => model))).toEqual(
    new Set(['rolled-small']),
  );
  const { data: entries } = of(200, await api('GET', '/audit-log?action=rollout.abort'));
  expect(entries).toMatchObject([{ actor: { type: 'system' }, target: { id: (await trial())?.id } }]);
});
