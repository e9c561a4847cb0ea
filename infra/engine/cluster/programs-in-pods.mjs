// Runs programs of this machine in pods: no registry has images of them.
import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { apply, kubectl, NODE_IMAGE, run } from './kubectl.mjs';

const NAME = 'app.kubernetes.io/name';
const READY_TIMEOUT = '--timeout=300s';
/** What a program that is built without C needs is in any image. */
const WAIT_FOR_PROGRAM = 'until [ -x /tmp/program ]; do sleep 0.5; done; exec /tmp/program "$@"';
const TAKE_PROGRAM = 'cat >/tmp/taken && chmod +x /tmp/taken && mv /tmp/taken /tmp/program';
/** Where the program finds its settings. */
export const SETTINGS_FILE = '/etc/settings/settings.yaml';

/**
 * Starts a program in a pod with a Service of its name, and waits until it listens.
 * @param namespace it is made where there is none.
 * @param rules what its account, which has the name of the namespace, may do in the whole cluster.
 * @returns the pod's address.
 */
export async function startProgram({ namespace, name, port, program, args, settings = {}, rules }) {
  const metadata = { name, namespace, labels: { [NAME]: name } };
  const within = (...rest) => kubectl('--namespace', namespace, ...rest);
  await kubectl('create', 'namespace', namespace).catch(() => undefined);
  await apply(
    ...accountOf(namespace, rules),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'settings.yaml': stringify(settings) } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: metadata.labels, ports: [{ port }] } },
    { apiVersion: 'v1', kind: 'Pod', metadata, spec: podOf({ namespace, name, port, args }) },
  );
  await within('wait', '--for=jsonpath={.status.phase}=Running', `pod/${name}`, READY_TIMEOUT);
  const exec = ['--namespace', namespace, 'exec', '--stdin', name, '--', 'sh', '-c', TAKE_PROGRAM];
  await run('kubectl', exec, { input: readFileSync(program) });
  await within('wait', '--for=condition=Ready', `pod/${name}`, READY_TIMEOUT);
  return within('get', `pod/${name}`, '--output', 'jsonpath={.status.podIP}');
}

/** Removes what was started in a namespace, with it. */
export async function stopPrograms(namespace) {
  const name = nameOf(namespace);
  await kubectl('delete', 'clusterrole,clusterrolebinding', name, '--ignore-not-found');
  await kubectl('delete', 'namespace', namespace, '--wait=false', '--ignore-not-found');
}

const podOf = ({ namespace, name, port, args }) => ({
  serviceAccountName: namespace,
  terminationGracePeriodSeconds: 1,
  containers: [
    {
      name,
      image: NODE_IMAGE,
      command: ['sh', '-c', WAIT_FOR_PROGRAM, '--', ...args],
      readinessProbe: { tcpSocket: { port }, periodSeconds: 2 },
      volumeMounts: [
        { name: 'tmp', mountPath: '/tmp' },
        { name: 'settings', mountPath: '/etc/settings' },
      ],
    },
  ],
  volumes: [
    { name: 'tmp', emptyDir: {} },
    { name: 'settings', configMap: { name } },
  ],
});

const RBAC = 'rbac.authorization.k8s.io';
const nameOf = (namespace) => `svc-test-${namespace}`;

function accountOf(namespace, rules) {
  const name = nameOf(namespace);
  const account = { kind: 'ServiceAccount', name: namespace, namespace };
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: namespace, namespace } },
    { apiVersion: `${RBAC}/v1`, kind: 'ClusterRole', metadata: { name }, rules },
    bound({ kind: 'ClusterRoleBinding', metadata: { name } }, { kind: 'ClusterRole', name }, account),
  ];
}

/** @param binding its kind and metadata. */
export const bound = (binding, role, ...subjects) => ({
  apiVersion: `${RBAC}/v1`,
  ...binding,
  roleRef: { apiGroup: RBAC, ...role },
  subjects,
});
