import { eventually, inDev, kubectl, listed } from './kubectl.mjs';
import { ROLLED_TIMEOUT, untilRolledOut } from './installed-dev.mjs';

export const SERVICES = ['edge', 'management', 'auth', 'console', 'dispatcher', 'worker', 'proxy'];
/** `kubectl drain` begins with this. */
const CLOSED_MS = 60_000;
/** Their pods are killed, one after the other. */
export const OF_TWO = ['edge', 'proxy'];

const podsOf = async (name) =>
  (await inDev('get', 'pods', '--selector', `app.kubernetes.io/name=${name}`, '--output', 'name'))
    .trim()
    .split('\n')
    .filter(Boolean);

/** Two pods of each service whose calls clients see. */
export async function runTwo() {
  await inDev('scale', ...OF_TWO.map((name) => `deployment/${name}`), '--replicas=2');
  await untilRolledOut();
}

export async function rollService(name) {
  await inDev('rollout', 'restart', `deployment/${name}`);
  await inDev('rollout', 'status', `deployment/${name}`, ROLLED_TIMEOUT);
  await untilNoneEnds(name);
}

/** Deletes each pod of two, and waits for the one that takes its place. */
export async function killEachOfTwo() {
  for (const name of OF_TWO)
    for (const pod of await podsOf(name)) {
      await inDev('delete', pod, ROLLED_TIMEOUT);
      await inDev('rollout', 'status', `deployment/${name}`, ROLLED_TIMEOUT);
    }
}

/**
 * Drains the one node of those pods, by the command of docs/operate.md. It is open to pods again as soon as it is closed: else no
 * other pod could take the place of the first, and the disruption budgets would keep the second.
 */
export async function drainNode() {
  const [{ metadata }] = await listed('nodes');
  const draining = kubectl(
    'drain',
    metadata.name,
    '--ignore-daemonsets',
    '--delete-emptydir-data',
    `--pod-selector=app.kubernetes.io/name in (${OF_TWO.join(',')})`,
    ROLLED_TIMEOUT,
  );
  try {
    await Promise.all([draining, openAgain(metadata.name)]);
  } catch (error) {
    await draining.catch(() => undefined);
    await kubectl('uncordon', metadata.name);
    throw error;
  }
  await untilRolledOut();
}

const openAgain = async (node) => {
  await eventually(async () => {
    const [{ spec }] = await listed('nodes');
    if (spec.unschedulable !== true) throw new Error(`${node} is not closed to pods.`);
  }, CLOSED_MS);
  await kubectl('uncordon', node);
};

/** Pods that are replaced drain first. */
export async function untilNoneEnds(name) {
  const ending = JSON.parse(
    await inDev('get', 'pods', '--selector', `app.kubernetes.io/name=${name}`, '--output', 'json'),
  ).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of ending)
    await inDev('wait', '--for=delete', `pod/${metadata.name}`, ROLLED_TIMEOUT);
}
