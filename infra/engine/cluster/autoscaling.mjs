// The edge gets pods by its calls in flight, as its autoscaler of `components/autoscaling` says, for smaller figures and sooner.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from '../../local/workspace.mjs';
import { manifestsIn } from '../manifests.mjs';
import { untilNoneEnds } from './disturbances.mjs';
import { apply, eventually, inDev, kubectl, NAMESPACE } from './kubectl.mjs';
import { openStreams } from './load.mjs';

const AUTOSCALERS = join(root, 'infra/k8s/components/autoscaling/autoscalers.yaml');
const IN_FLIGHT = 'svc_inference_calls_in_flight';
const QUEUE_AGE = 'svc_webhook_queue_age_seconds';
const [PODS_MIN, PODS_MAX] = [2, 4];
/** Of two pods each has ten, so that as many pods are wanted as there may be. */
const STREAMS = 20;
const STREAMS_OF_A_POD = '4';
/** Half a second each: longer than the minute that the figure is an average of, and than the autoscaler's looks. */
const CHUNKS = 360;
/** A figure is read every 5 s, and asked for every 15 s. */
const FIGURES_MS = 60_000;
const SCALED_MS = 240_000;

export async function expectScaling(key) {
  try {
    await eventually(expectFigures, FIGURES_MS);
    await apply(autoscaler());
    const ended = openStreams(key, STREAMS, CHUNKS);
    await eventually(() => expectPods(PODS_MAX), SCALED_MS);
    say(`${STREAMS} streams: ${PODS_MAX} pods`);
    const outcomes = await ended;
    if (outcomes.ok?.length !== STREAMS) throw new Error(`Streams were cut: ${JSON.stringify(outcomes)}`);
    await eventually(() => expectPods(PODS_MIN), SCALED_MS);
    // Pods that drain would still get streams, and cut them off in the end.
    await untilNoneEnds('edge');
  } finally {
    await inDev('delete', 'horizontalpodautoscaler', 'edge', '--ignore-not-found');
  }
}

/** Both figures of the project that autoscalers ask for. */
async function expectFigures() {
  const paths = [
    `custom.metrics.k8s.io/v1beta2/namespaces/${NAMESPACE}/pods/*/${IN_FLIGHT}`,
    `external.metrics.k8s.io/v1beta1/namespaces/${NAMESPACE}/${QUEUE_AGE}`,
  ];
  for (const path of paths) {
    const { items } = JSON.parse(await kubectl('get', '--raw', `/apis/${path}`));
    if (items.length === 0) throw new Error(`There is no figure at ${path}.`);
  }
}

function autoscaler() {
  const all = manifestsIn(readFileSync(AUTOSCALERS, 'utf8'));
  const { spec, ...edge } = all.find(({ metadata }) => metadata.name === 'edge');
  const [metric] = spec.metrics.filter(({ pods }) => pods?.metric.name === IN_FLIGHT);
  metric.pods.target.averageValue = STREAMS_OF_A_POD;
  const policies = spec.behavior.scaleDown.policies.map((policy) => ({ ...policy, periodSeconds: 15 }));
  return {
    ...edge,
    metadata: { ...edge.metadata, namespace: NAMESPACE },
    spec: {
      ...spec,
      minReplicas: PODS_MIN,
      maxReplicas: PODS_MAX,
      metrics: [metric],
      behavior: { scaleDown: { stabilizationWindowSeconds: 15, policies } },
    },
  };
}

async function expectPods(count) {
  const ready = await inDev('get', 'deployment', 'edge', '--output', 'jsonpath={.status.readyReplicas}');
  if (ready !== String(count)) throw new Error(`The edge has ${ready} pods, not ${count}.`);
}
