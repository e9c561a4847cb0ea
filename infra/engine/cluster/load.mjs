import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { INGRESS } from './visitors.mjs';
import { kubectl, NAMESPACE, programOf } from './kubectl.mjs';

const VISITOR = 'visitor-traefik';
const RECEIVER = ['--namespace', 'default'];
const PROXY = { address: `http://proxy.${NAMESPACE}.svc.cluster.local:8080` };

/** Sends by way of the proxy. @throws Error with the answer, where it is an error. */
const post = (key, path, body, { address, host = '' } = PROXY) =>
  kubectl(
    ...INGRESS,
    'exec',
    VISITOR,
    '--',
    ...programOf('post', `${address}${path}`, key, JSON.stringify(body), host),
  );

/** @param to `{ address, host }`; default: past the Ingress, to the proxy. */
export const firstCall = (key, to) =>
  post(
    key,
    '/v1/chat/completions',
    { model: 'simulator/echo', messages: [{ role: 'user', content: 'hello' }] },
    to,
  );

/** Webhooks of the keys that are made go to the visitor from elsewhere. */
export async function startWebhooks(key) {
  const { status } = JSON.parse(
    await kubectl(...RECEIVER, 'get', 'pod', 'visitor-elsewhere', '--output', 'json'),
  );
  const url = `http://${status.podIP}:8080/`;
  await post(key, '/api/v1/webhook-endpoints', { url, event_types: ['api_key.created'] });
}

/** @throws Error while a key is not told. */
export async function expectTold(keys) {
  const received = await kubectl(...RECEIVER, 'logs', 'visitor-elsewhere');
  const missing = keys.filter((id) => !received.includes(id));
  if (missing.length > 0) throw new Error(`No webhook told of ${missing.join(', ')}.`);
}

/** Opens so many streams of so many chunks. @returns their outcomes, each with those that ended so. */
export const openStreams = async (key, count, chunks, { address, host = '' } = PROXY) =>
  JSON.parse(
    await kubectl(
      ...INGRESS,
      'exec',
      VISITOR,
      '--',
      ...programOf('streams', address, key, String(count), String(chunks), host),
    ),
  );

/**
 * Starts calls and streams at a steady rate, from where an Ingress controller is.
 * @returns `end`, which resolves once the last one is answered: `{ outcomes, again, failed, answered, keys }`. `again` counts what was
 *   sent more than once; `failed` has a line for each that was not served.
 * @throws Error from `end`, where the load has ended before.
 */
export function startLoad(key) {
  const args = [...INGRESS, 'exec', '--stdin', VISITOR, '--', ...programOf('load', PROXY.address, key)];
  const child = spawn('kubectl', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const results = [];
  const lines = createInterface({ input: child.stdout }).on('line', (line) => results.push(JSON.parse(line)));
  const closed = once(lines, 'close');
  process.once('exit', () => child.kill());
  return async () => {
    child.stdin.on('error', () => undefined).end();
    await closed;
    const last = results.pop();
    if (last?.kind !== 'end') throw new Error(`The load ended by itself, at ${last?.at}.`);
    return summed(results);
  };
}

function summed(results) {
  const outcomes = {};
  for (const { kind, outcome } of results) {
    const of = (outcomes[kind] ??= {});
    of[outcome] = (of[outcome] ?? 0) + 1;
  }
  const served = results.filter(({ outcome }) => outcome === 'ok');
  return {
    outcomes,
    again: results.filter(({ tries }) => tries > 1).length,
    failed: results.filter(({ outcome }) => outcome !== 'ok').map((result) => JSON.stringify(result)),
    answered: served.filter(({ kind }) => kind !== 'keys').map(({ id }) => id),
    keys: served.filter(({ kind }) => kind === 'keys').map(({ id }) => id),
  };
}
