import { tableInPage, VISITORS } from '../../k8s/connections.mjs';
import {
  apply,
  eventually,
  inDev,
  kubectl,
  listed,
  NAMESPACE,
  NODE_IMAGE,
  programOf,
  shortId,
} from './kubectl.mjs';

const NAME = 'app.kubernetes.io/name';
/** No pod is there. */
const UNSEEN = ['metadata:80', 'internet:443'];
const PROBED_MS = 60_000;

/**
 * Connects from every pod to every port of every other one, and compares with the table of docs/connections.md.
 * @returns `{ judged, differences }`: how many connections were tried, and a line for each that the table has not so.
 */
export async function compareConnections() {
  const [titles, ...rows] = tableInPage('dev');
  const pods = await runningPods();
  const targets = titles.slice(1).map((title) => {
    const [name, port] = title.split(':');
    return {
      title,
      places: (pods.get(name) ?? []).map((pod) => ({ pod, at: `${pod.status.podIP}:${port}` })),
    };
  });
  const all = targets.flatMap(({ places }) => places.map(({ at }) => at));
  const seen = await Promise.all(
    [...pods].flatMap(([who, each]) =>
      each.map(async (from) => ({ who, from, accepted: await acceptedFrom(from, all) })),
    ),
  );
  // What a pod offers it offers to itself, whatever the policies: else a refusal would say nothing of them.
  const silent = targets.flatMap(({ places }) => places.filter(({ pod, at }) => isSilent(pod, at, seen)));
  const differences = silent.map(({ at }) => `${at} accepts nothing, not from its own pod either`);
  let judged = 0;
  for (const [who, ...cells] of rows)
    for (const [index, said] of cells.entries()) {
      const { title, places } = targets[index];
      if (said === '-' || UNSEEN.includes(title)) continue;
      const callers = seen.filter((each) => each.who === who);
      if (callers.length === 0 || places.length === 0) differences.push(`${who} to ${title}: no such pod`);
      for (const { from, accepted } of callers)
        for (const { pod, at } of places) {
          if (pod === from) continue;
          judged++;
          if (accepted.has(at) !== (said === 'yes'))
            differences.push(`${who} to ${title} (${at}): ${accepted.has(at) ? 'accepted' : 'refused'}`);
        }
    }
  return { judged, differences };
}

const isSilent = (pod, at, seen) => seen.some(({ from, accepted }) => from === pod && !accepted.has(at));

/** Lets everybody connect to a pod. @returns what takes it back. */
export async function openWide(name) {
  await apply({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'planted', namespace: NAMESPACE },
    spec: { podSelector: { matchLabels: { [NAME]: name } }, ingress: [{}] },
  });
  return () => inDev('delete', 'networkpolicy', 'planted');
}

/** The pods that run, by the names of the table. */
async function runningPods() {
  const isRunning = ({ status, metadata }) => status.phase === 'Running' && !metadata.deletionTimestamp;
  const own = (await listed('pods', '--namespace', NAMESPACE)).filter(isRunning);
  const named = new Map();
  for (const pod of own)
    named.set(pod.metadata.labels[NAME], [...(named.get(pod.metadata.labels[NAME]) ?? []), pod]);
  for (const { name, namespace } of VISITORS)
    named.set(
      name,
      await listed('pods', '--namespace', namespace, '--field-selector', `metadata.name=visitor-${name}`),
    );
  named.set(
    'DNS',
    (await listed('pods', '--namespace', 'kube-system', '--selector', 'k8s-app=kube-dns')).filter(isRunning),
  );
  return named;
}

/** By a container of its own beside the pod's: it is in the pod's network, and needs no programs of its image. */
async function acceptedFrom({ metadata: { name, namespace } }, targets) {
  const probe = programOf('probe', ...targets);
  if (name.startsWith('visitor-'))
    return setOf(await kubectl('--namespace', namespace, 'exec', name, '--', ...probe));
  if (namespace !== NAMESPACE) return new Set(targets);
  const container = `probe-${shortId()}`;
  const image = ['--image', NODE_IMAGE, '--image-pull-policy', 'IfNotPresent', '--profile', 'restricted'];
  await inDev(
    'debug',
    `pod/${name}`,
    ...image,
    '--container',
    container,
    '--attach=false',
    '--quiet',
    '--',
    ...probe,
  );
  await eventually(
    async () => {
      const states = await inDev(
        'get',
        'pod',
        name,
        '--output',
        'jsonpath={.status.ephemeralContainerStatuses}',
      );
      if (!JSON.parse(states || '[]').find((each) => each.name === container)?.state.terminated)
        throw new Error(`The probe of ${name} has not ended.`);
    },
    PROBED_MS,
    500,
  );
  return setOf(await inDev('logs', name, '--container', container));
}

const setOf = (printed) => new Set(printed.trim().split(' '));
