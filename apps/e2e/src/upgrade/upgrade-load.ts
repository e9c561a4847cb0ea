import { retryBusy } from '@svc/testing';
import { callApi } from '../oauth/oauth-app';
import { sleep } from '../harness/sleep';
import { type Svc } from '../harness/svc';
import {
  type At,
  ask,
  call,
  CHAT,
  keyedCalls,
  mixedCalls,
  newKeys,
  sessionLookups,
} from '../distributed/lanes';
import { OK, SteadyLoad, type WholeAnswer } from '../distributed/steady-load';
import { newBudgets, newKey, newTenant, of, type Tenant } from '../distributed/tenant';
import { trainModels } from './training';

const CREDIT = 10n ** 12n;
const LANES_EACH = 2;
/** Some six seconds of a stream: it is open while an edge is replaced. */
const LONG_STREAM = { reply_words: 60, chunk_delay_ms: 100 };
/** Reads of the management API that every version answers. */
const READS = ['/keys', '/budgets', '/wallet', '/usage', '/requests?limit=5', '/projects', '/policy'];
/** Of a policy that takes nothing away and is written again and again: edges of either version read what either wrote. */
const SORTS = ['price', 'latency', 'throughput'];

/** The load that runs all the time, in lanes by name, and the results that are checked at its end. */
export interface UpgradeLoad {
  readonly load: SteadyLoad;
  /** Its calls are within budgets of every period. */
  readonly tenant: Tenant;
  readonly answers: readonly WholeAnswer[];
  /** Its calls of the lane have idempotency keys. */
  readonly keyed: Tenant;
  readonly keyedAnswers: WholeAnswer[];
  /** Keys that were made, each an event for the one webhook endpoint. */
  readonly keysMade: ReadonlyMap<string, number>;
  /** Calls that were refused because the machine was too slow, and were sent again. */
  readonly busy: readonly string[];
}

/** @param receiverUrl of webhooks. */
export async function startUpgradeLoad(svc: Svc, receiverUrl: string): Promise<UpgradeLoad> {
  const load = new SteadyLoad();
  const [answers, keyedAnswers, keysMade] = [
    [] as WholeAnswer[],
    [] as WholeAnswer[],
    new Map<string, number>(),
  ];
  const [tenant, keyed, trainer] = [
    await newTenant(svc, CREDIT),
    await newTenant(svc, CREDIT),
    await newTenant(svc, CREDIT),
  ];
  const endpoint = { url: receiverUrl, event_types: ['api_key.created'] };
  of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', tenant.apiKey, endpoint));
  const key = await newKey(svc, tenant);
  await newBudgets(svc, tenant, key);

  const { baseUrl } = svc;
  const at = { baseUrl, apiKey: key.secret };
  const byKey = { baseUrl, apiKey: (await newKey(svc, keyed)).secret };
  const owner = { baseUrl, apiKey: tenant.apiKey };
  const busy: string[] = [];
  const start = (name: string, pauseMs: number, tryOnce: () => Promise<string>) => {
    load.start({ name, pauseMs, tryOnce: sentAgain(tryOnce, busy) });
  };
  for (let lane = 0; lane < LANES_EACH; lane++) {
    start('calls', 100, mixedCalls(at, answers, { 'svc-session-id': `session-${String(lane)}` }));
    start('long streams', 200, () =>
      ask(at, CHAT, call(LONG_STREAM, { stream: true, max_tokens: 1_200 }), { answers }),
    );
    start('keyed', 150, keyedCalls(byKey, keyedAnswers, `lane-${String(lane)}`));
  }
  start('new keys', 400, newKeys(owner, keysMade));
  start('reads', 200, inTurn(READS, readBy(owner)));
  start('policies', 1_000, inTurn(SORTS, policyWrittenBy(owner)));
  start('sessions', 200, await sessionLookups(svc));
  start('console', 500, async () => statusOf((await fetch(`${baseUrl}/console/`)).status));
  start('exports', 500, () => exported(svc));
  start('trained models', 500, trainModels({ baseUrl, apiKey: trainer.apiKey }));
  return { load, tenant, answers, keyed, keyedAnswers, keysMade, busy };
}

const TRIES_MAX = 5;
const BEFORE_AGAIN_MS = 500;

/**
 * A busy machine is too slow for some calls: the service refuses them before it holds or changes anything, and clients send
 * them again.
 */
const sentAgain = (tryOnce: () => Promise<string>, busy: string[]) => async (): Promise<string> => {
  for (let tries = 1; ; tries++) {
    const outcome = await tryOnce();
    if (!BUSY.test(outcome) || tries === TRIES_MAX) return outcome;
    busy.push(outcome);
    await sleep(BEFORE_AGAIN_MS);
  }
};
/** By the code of the edge, or of another service by its status alone. */
const BUSY = /^503( overloaded)?$/;

const statusOf = (status: number): string => (status === 200 ? OK : String(status));

function inTurn(paths: readonly string[], tryOne: (path: string) => Promise<string>): () => Promise<string> {
  let count = 0;
  return () => tryOne(paths[count++ % paths.length] ?? '');
}

const readBy =
  ({ baseUrl, apiKey }: At) =>
  async (path: string): Promise<string> => {
    const { status } = await callApi(baseUrl, 'GET', `/api/v1${path}`, apiKey);
    return status === 200 || status === 503 ? statusOf(status) : `${path} ${String(status)}`;
  };

const policyWrittenBy =
  ({ baseUrl, apiKey }: At) =>
  async (sort: string): Promise<string> =>
    statusOf((await callApi(baseUrl, 'PUT', '/api/v1/policy', apiKey, { sort })).status);

const EXPORT_POLLS_MAX = 120;

/** A job of the worker: resolves when its file is written. */
async function exported({ baseUrl, apiKey }: At): Promise<string> {
  const api = (method: string, path: string, body?: object) =>
    retryBusy(() => callApi(baseUrl, method, `/api/v1/exports${path}`, apiKey, body));
  const made = await api('POST', '', { kind: 'audit_log', format: 'csv' });
  if (made.status !== 201) return `export not made: ${String(made.status)}`;
  const path = `/${String(made.body.id)}`;
  let state = made.body.state as string;
  for (let left = EXPORT_POLLS_MAX; ['queued', 'running'].includes(state) && left > 0; left--) {
    await sleep(500);
    state = of(200, await api('GET', path)).state as string;
  }
  if (state !== 'completed') return `export ${state}`;
  const { status } = await api('DELETE', path);
  return status === 204 ? OK : `export not deleted: ${String(status)}`;
}
