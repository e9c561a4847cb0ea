import { inDev } from './kubectl.mjs';
import { untilRolledOut } from './installed-dev.mjs';

export const SERVICES = ['edge', 'management', 'auth', 'console', 'dispatcher', 'worker', 'proxy'];
const ROLLED_TIMEOUT = '--timeout=600s';
/** Their pods are killed, one after the other. */
const OF_TWO = ['edge', 'proxy'];

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

/** Pods that are replaced drain first. */
async function untilNoneEnds(name) {
  const ending = JSON.parse(
    await inDev('get', 'pods', '--selector', `app.kubernetes.io/name=${name}`, '--output', 'json'),
  ).items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { metadata } of ending)
    await inDev('wait', '--for=delete', `pod/${metadata.name}`, ROLLED_TIMEOUT);
}
