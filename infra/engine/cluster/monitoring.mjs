// Prometheus and prometheus-adapter in the namespace `monitoring`, so that autoscalers can ask for the figures of the services.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { root } from '../../local/workspace.mjs';
import { monitoringPrograms } from '../programs.mjs';
import { apply, inDev, kubectl, NAMESPACE, NODE_IMAGE, run } from './kubectl.mjs';

const OBSERVABILITY = join(root, 'infra/k8s/components/observability');
const MONITORING = 'monitoring';
const NAME = 'app.kubernetes.io/name';
const inMonitoring = (...args) => kubectl('--namespace', MONITORING, ...args);
const READY_TIMEOUT = '--timeout=300s';

/** Starts both. @returns what removes them. */
export async function startMonitoring() {
  const programs = await monitoringPrograms();
  await kubectl('create', 'namespace', MONITORING).catch(() => undefined);
  await apply(...accounts(), ...apiServices());
  await inDev('apply', '--filename', join(OBSERVABILITY, 'network-policy.yaml'));
  await startPod('prometheus', 9090, programs.prometheus, prometheusSettings(), [
    '--config.file=/etc/settings/settings.yaml',
    '--storage.tsdb.path=/tmp/data',
  ]);
  await startPod('adapter', 6443, programs.adapter, adapterSettings(), [
    '--config=/etc/settings/settings.yaml',
    `--prometheus-url=http://prometheus.${MONITORING}.svc:9090/`,
    '--metrics-relist-interval=10s',
    '--cert-dir=/tmp/certificates',
    '--secure-port=6443',
  ]);
  return async () => {
    await kubectl('delete', 'apiservice', ...apiServices().map(({ metadata }) => metadata.name));
    await kubectl('delete', 'namespace', MONITORING, '--wait=false');
  };
}

/** What `ServiceMonitor` makes the Prometheus operator write: the labels of a pod, and the one that services name themselves by. */
const prometheusSettings = () => ({
  scrape_configs: [
    {
      job_name: 'svc',
      honor_labels: true,
      scrape_interval: '5s',
      kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [NAMESPACE] } }],
      relabel_configs: [
        {
          source_labels: ['__meta_kubernetes_pod_label_app_kubernetes_io_component'],
          regex: 'service',
          action: 'keep',
        },
        { source_labels: ['__meta_kubernetes_pod_container_port_name'], regex: 'http', action: 'keep' },
        { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
        { source_labels: ['__meta_kubernetes_pod_name'], target_label: 'pod' },
      ],
    },
  ],
});

/** As the chart of prometheus-adapter writes it of its values. */
function adapterSettings() {
  const { rules } = parse(readFileSync(join(OBSERVABILITY, 'prometheus-adapter-values.yaml'), 'utf8'));
  return { rules: rules.custom, externalRules: rules.external };
}

/** No registry has an image: a pod of an image that is there waits for the program. */
async function startPod(name, port, program, settings, args) {
  await apply(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: at(name),
      data: { 'settings.yaml': stringify(settings) },
    },
    serviceOf(name, port),
    podOf(name, port, args),
  );
  await inMonitoring('wait', '--for=condition=PodScheduled', `pod/${name}`, READY_TIMEOUT);
  await inMonitoring('wait', '--for=jsonpath={.status.phase}=Running', `pod/${name}`, READY_TIMEOUT);
  const take = 'cat >/tmp/taken && chmod +x /tmp/taken && mv /tmp/taken /tmp/program';
  const exec = ['--namespace', MONITORING, 'exec', '--stdin', name, '--', 'sh', '-c', take];
  await run('kubectl', exec, { input: readFileSync(program) });
  await inMonitoring('wait', '--for=condition=Ready', `pod/${name}`, READY_TIMEOUT);
}

const at = (name) => ({ name, namespace: MONITORING, labels: { [NAME]: name } });

const serviceOf = (name, port) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: at(name),
  spec: { selector: { [NAME]: name }, ports: [{ port, targetPort: port }] },
});

const podOf = (name, port, args) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: at(name),
  spec: {
    serviceAccountName: 'monitoring',
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        name,
        image: NODE_IMAGE,
        command: [
          'sh',
          '-c',
          'until [ -x /tmp/program ]; do sleep 0.5; done; exec /tmp/program "$@"',
          '--',
          ...args,
        ],
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
  },
});

const rbac = { apiVersion: 'rbac.authorization.k8s.io/v1' };
const account = { kind: 'ServiceAccount', name: 'monitoring', namespace: MONITORING };
const roleRef = (kind, name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind, name });

/** One account for both: it reads pods, and the adapter has its callers judged by the API server, as its own manifests say. */
const accounts = () => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'monitoring', namespace: MONITORING } },
  {
    ...rbac,
    kind: 'ClusterRole',
    metadata: { name: 'svc-test-metrics' },
    rules: [
      {
        apiGroups: [''],
        resources: ['nodes', 'namespaces', 'pods', 'services'],
        verbs: ['get', 'list', 'watch'],
      },
    ],
  },
  bound('svc-test-metrics', roleRef('ClusterRole', 'svc-test-metrics'), [account]),
  bound('svc-test-delegator', roleRef('ClusterRole', 'system:auth-delegator'), [account]),
  {
    ...rbac,
    kind: 'RoleBinding',
    metadata: { name: 'svc-test-auth-reader', namespace: 'kube-system' },
    roleRef: roleRef('Role', 'extension-apiserver-authentication-reader'),
    subjects: [account],
  },
  {
    ...rbac,
    kind: 'ClusterRole',
    metadata: { name: 'svc-test-figures' },
    rules: [
      {
        apiGroups: ['custom.metrics.k8s.io', 'external.metrics.k8s.io'],
        resources: ['*'],
        verbs: ['get', 'list'],
      },
    ],
  },
  bound('svc-test-figures', roleRef('ClusterRole', 'svc-test-figures'), [
    { kind: 'ServiceAccount', name: 'horizontal-pod-autoscaler', namespace: 'kube-system' },
    { apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'system:kube-controller-manager' },
  ]),
];

function bound(name, role, subjects) {
  return { ...rbac, kind: 'ClusterRoleBinding', metadata: { name }, roleRef: role, subjects };
}

function apiServices() {
  return [
    ['v1beta1', 'custom.metrics.k8s.io'],
    ['v1beta2', 'custom.metrics.k8s.io'],
    ['v1beta1', 'external.metrics.k8s.io'],
  ].map(([version, group]) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      service: { name: 'adapter', namespace: MONITORING, port: 6443 },
      group,
      version,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  }));
}
