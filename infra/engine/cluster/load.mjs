import { spawn } from 'node:child_process';
import { INGRESS } from './visitors.mjs';
import { kubectl, NAMESPACE, programOf } from './kubectl.mjs';

const VISITOR = 'visitor-traefik';
const RECEIVER = ['--namespace', 'default'];
const ADDRESS = `http://proxy.${NAMESPACE}.svc.cluster.local:8080`;

/** Sends by way of the proxy. @throws Error with the answer, where it is an error. */
const post = (key, path, body, address = ADDRESS) =>
  kubectl(
    ...INGRESS,
    'exec',
    VISITOR,
    '--',
    ...programOf('post', `${address}${path}`, key, JSON.stringify(body)),
  );

/** @param address default: past the Ingress, the proxy's own. */
export const firstCall = (key, address) =>
  post(
    key,
    '/v1/chat/completions',
    { model: 'simulator/echo', messages: [{ role: 'user', content: 'hello' }] },
    address,
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
export const openStreams = async (key, count, chunks, address = ADDRESS) =>
  JSON.parse(
    await kubectl(
      ...INGRESS,
      'exec',
      VISITOR,
      '--',
      ...programOf('streams', address, key, String(count), String(chunks)),
    ),
  );

/**
 * Starts calls and streams at a steady rate, from where an Ingress controller is.
 * @returns `end`, which resolves with `{ outcomes, busy, answered, keys, told }` once the last one is answered.
 */
export function startLoad(key) {
  const args = [...INGRESS, 'exec', '--stdin', VISITOR, '--', ...programOf('load', ADDRESS, key)];
  const child = spawn('kubectl', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const [out, err] = [[], []];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  const closed = new Promise((resolve) => child.once('close', resolve));
  process.once('exit', () => child.kill());
  return async () => {
    child.stdin.on('error', () => undefined).end();
    await closed;
    const told = String(Buffer.concat(err));
    try {
      return { ...JSON.parse(String(Buffer.concat(out))), told };
    } catch {
      throw new Error(`The load ended by itself: ${told}`);
    }
  };
}
