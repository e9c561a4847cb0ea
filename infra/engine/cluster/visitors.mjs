import { VISITORS, manifestsOf } from '../../k8s/connections.mjs';
import { apply, kubectl, NAMESPACE, NODE_IMAGE, programOf } from './kubectl.mjs';

/** Where an Ingress controller is: from there clients' calls come. */
export const INGRESS = ['--namespace', 'traefik'];
const READY_TIMEOUT = '--timeout=120s';
/** Of the table of what may connect: pods of other namespaces, and one with set-up's labels, whose own has ended. */
const places = () => [...VISITORS, { name: 'set-up', namespace: NAMESPACE, labels: labelsOfSetUp() }];

const labelsOfSetUp = () =>
  manifestsOf('dev').find(({ kind }) => kind === 'Job').spec.template.metadata.labels;

/** Makes the pods that connect from outside. @returns what removes them again, with the namespaces that were made for them. */
export async function startVisitors() {
  const made = [];
  for (const { namespace } of places())
    await kubectl('create', 'namespace', namespace).then(
      () => made.push(namespace),
      () => undefined,
    );
  const remove = async () => {
    for (const { name, namespace } of places())
      await kubectl('--namespace', namespace, 'delete', 'pod', `visitor-${name}`, '--ignore-not-found');
    for (const namespace of made)
      await kubectl('delete', 'namespace', namespace, '--wait=false', '--ignore-not-found');
  };
  try {
    await apply(...places().map(visitorOf));
    for (const { name, namespace } of places())
      await kubectl(
        '--namespace',
        namespace,
        'wait',
        '--for=condition=Ready',
        `pod/visitor-${name}`,
        READY_TIMEOUT,
      );
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Accepts connections on 8080, as a receiver of webhooks would. */
const visitorOf = ({ name, namespace, labels }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `visitor-${name}`, namespace, labels },
  spec: {
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 1,
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'visitor',
        image: NODE_IMAGE,
        command: programOf('listen'),
        ports: [{ name: 'http', containerPort: 8080 }],
        readinessProbe: { tcpSocket: { port: 'http' }, periodSeconds: 2 },
        resources: { requests: { cpu: '10m' }, limits: { memory: '256Mi' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  },
});
