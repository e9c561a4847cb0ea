// Prometheus and prometheus-adapter in the namespace `monitoring`, so that autoscalers can ask for the figures of the services.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../local/workspace.mjs';
import { monitoringPrograms } from '../programs.mjs';
import { apply, inDev, kubectl, NAMESPACE } from './kubectl.mjs';
import { bound, SETTINGS_FILE, startProgram, stopPrograms } from './programs-in-pods.mjs';

const OBSERVABILITY = join(root, 'infra/k8s/components/observability');
const namespace = 'monitoring';
/** Its Service. */
export const PROMETHEUS = { namespace, name: 'prometheus', port: 9090 };
const ADAPTER_PORT = 6443;
const RBAC = 'rbac.authorization.k8s.io';
const rules = [
  {
    apiGroups: [''],
    resources: ['nodes', 'namespaces', 'pods', 'services'],
    verbs: ['get', 'list', 'watch'],
  },
];
const FIGURES = 'svc-test-figures';

/** Starts both. @returns what removes them. */
export async function startMonitoring() {
  const programs = await monitoringPrograms();
  await inDev('apply', '--filename', join(OBSERVABILITY, 'network-policy.yaml'));
  await startProgram({
    ...{ ...PROMETHEUS, rules, program: programs.prometheus },
    settings: prometheusSettings(),
    args: [`--config.file=${SETTINGS_FILE}`, '--storage.tsdb.path=/tmp/data'],
  });
  await apply(...rolesOfAdapter(), ...apiServices());
  await startProgram({
    ...{ namespace, rules, name: 'adapter', port: ADAPTER_PORT, program: programs.adapter },
    settings: adapterSettings(),
    args: [
      `--config=${SETTINGS_FILE}`,
      `--prometheus-url=http://${PROMETHEUS.name}.${namespace}.svc:${PROMETHEUS.port}/`,
      '--metrics-relist-interval=10s',
      '--cert-dir=/tmp/certificates',
      `--secure-port=${ADAPTER_PORT}`,
    ],
  });
  return async () => {
    for (const { kind, metadata } of [...apiServices(), ...rolesOfAdapter()])
      await kubectl(
        ...(metadata.namespace === undefined ? [] : ['--namespace', metadata.namespace]),
        ...['delete', kind, metadata.name],
      );
    await stopPrograms(namespace);
  };
}

/** What the Prometheus operator makes of the ServiceMonitor: labels of the pod, and the one that services name themselves by. */
const prometheusSettings = () => ({
  scrape_configs: [
    {
      job_name: 'svc',
      honor_labels: true,
      scrape_interval: '5s',
      kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [NAMESPACE] } }],
      relabel_configs: [
        { source_labels: [`${POD}_label_app_kubernetes_io_component`], regex: 'service', action: 'keep' },
        { source_labels: [`${POD}_container_port_name`], regex: 'http', action: 'keep' },
        { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
        { source_labels: [`${POD}_name`], target_label: 'pod' },
      ],
    },
  ],
});
const POD = '__meta_kubernetes_pod';

/** As the chart of prometheus-adapter makes it of its values. */
function adapterSettings() {
  const values = parse(readFileSync(join(OBSERVABILITY, 'prometheus-adapter-values.yaml'), 'utf8'));
  return { rules: values.rules.custom, externalRules: values.rules.external };
}

/** The adapter has its callers judged by the API server, and autoscalers may ask it, as its own manifests say. */
const rolesOfAdapter = () => {
  const account = { kind: 'ServiceAccount', name: namespace, namespace };
  return [
    bound(
      { kind: 'ClusterRoleBinding', metadata: { name: 'svc-test-delegator' } },
      { kind: 'ClusterRole', name: 'system:auth-delegator' },
      account,
    ),
    bound(
      { kind: 'RoleBinding', metadata: { name: 'svc-test-auth-reader', namespace: 'kube-system' } },
      { kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      account,
    ),
    {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name: FIGURES },
      rules: [
        {
          apiGroups: ['custom.metrics.k8s.io', 'external.metrics.k8s.io'],
          resources: ['*'],
          verbs: ['get', 'list'],
        },
      ],
    },
    bound(
      { kind: 'ClusterRoleBinding', metadata: { name: FIGURES } },
      { kind: 'ClusterRole', name: FIGURES },
      { kind: 'ServiceAccount', name: 'horizontal-pod-autoscaler', namespace: 'kube-system' },
      { apiGroup: RBAC, kind: 'User', name: 'system:kube-controller-manager' },
    ),
  ];
};

const apiServices = () =>
  [
    ['v1beta1', 'custom.metrics.k8s.io'],
    ['v1beta2', 'custom.metrics.k8s.io'],
    ['v1beta1', 'external.metrics.k8s.io'],
  ].map(([version, group]) => ({
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `${version}.${group}` },
    spec: {
      service: { name: 'adapter', namespace, port: ADAPTER_PORT },
      group,
      version,
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  }));
