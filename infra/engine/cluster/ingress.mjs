// Calls by way of the Ingress, with Traefik as its controller, as docs/deploy.md says it must be told.
import { ingressProgram } from '../programs.mjs';
import { firstCall, openStreams } from './load.mjs';
import { startProgram, stopPrograms } from './programs-in-pods.mjs';

/** The one that the policies let in. Visitors are there too. */
const namespace = 'traefik';
const PORT = 8000;
const ADDRESS = `http://traefik.${namespace}.svc.cluster.local:${PORT}`;
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
  await startProgram({
    ...{ namespace, rules, name: 'traefik', port: PORT, program: await ingressProgram() },
    args: [
      '--providers.kubernetesingress',
      `--entryPoints.web.address=:${PORT}`,
      '--entryPoints.web.transport.respondingTimeouts.readTimeout=0',
      '--entryPoints.web.transport.lifeCycle.graceTimeOut=60s',
    ],
  });
  try {
    await firstCall(key, ADDRESS);
    const outcomes = await openStreams(key, STREAMS, CHUNKS, ADDRESS);
    if (outcomes.ok?.length !== STREAMS) throw new Error(`Streams were cut: ${JSON.stringify(outcomes)}`);
  } finally {
    await stopPrograms(namespace);
  }
}
