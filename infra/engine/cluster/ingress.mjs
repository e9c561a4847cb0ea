// Calls by way of the Ingress, with Traefik as its controller, as docs/deploy.md says it must be told.
import { manifestsOf } from '../../k8s/connections.mjs';
import { ingressProgram } from '../programs.mjs';
import { eventually } from './kubectl.mjs';
import { firstCall, openStreams } from './load.mjs';
import { startProgram, stopPrograms } from './programs-in-pods.mjs';

/** The one that the policies let in. Visitors are there too. */
const namespace = 'traefik';
const PORT = 8000;
/** It reads the Ingress after it listens. */
const READ_MS = 30_000;
const read = ['get', 'list', 'watch'];
const rules = [
  { apiGroups: [''], resources: ['services', 'endpoints', 'secrets', 'nodes'], verbs: read },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses', 'ingressclasses'], verbs: read },
];
const STREAMS = 5;
/** Half a second each: longer than the minute for which Traefik by itself waits for a whole request. */
const CHUNKS = 150;

export async function expectServedByIngress(key) {
  const { spec } = manifestsOf('dev').find(({ kind }) => kind === 'Ingress');
  const address = await startProgram({
    ...{ namespace, rules, name: 'traefik', port: PORT, program: await ingressProgram() },
    args: [
      '--providers.kubernetesingress',
      `--entryPoints.web.address=:${PORT}`,
      '--entryPoints.web.transport.respondingTimeouts.readTimeout=0',
      '--entryPoints.web.transport.lifeCycle.graceTimeOut=60s',
    ],
  });
  // Its pod's own: the cluster may still be learning where its Service leads.
  const traefik = { address: `http://${address}:${PORT}`, host: spec.rules[0].host };
  try {
    await eventually(() => firstCall(key, traefik), READ_MS);
    const outcomes = await openStreams(key, STREAMS, CHUNKS, traefik);
    if (outcomes.ok?.length !== STREAMS) throw new Error(`Streams were cut: ${JSON.stringify(outcomes)}`);
  } finally {
    await stopPrograms(namespace);
  }
}
