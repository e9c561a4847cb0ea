// Where the chart has values in place of what kustomize renders. `of` is of `<kind>/<name>`; INDENT is the depth of a block.

const block = (expression) => `{{- toYaml ${expression} | nindent INDENT }}`;
const container = ['spec', 'template', 'spec', 'containers', 0];
const SERVICES = ['edge', 'management', 'auth', 'console', 'dispatcher', 'worker', 'proxy'];

/** Of the chart's folder `files`. */
export const FILES = {
  'catalog.yaml': '../../config/catalog.yaml',
  'svc.conf.template': '../k8s/base/proxy/svc.conf.template',
  'svc-dashboard.json': '../k8s/components/observability/svc-dashboard.json',
};

const egress = (name, peers) => ({
  of: new RegExp(`^NetworkPolicy/${name}$`),
  path: ['spec', 'egress', 0, 'to'],
  to: peers,
});
const cidrs = (name) => `{{- include "svc.blocks" .Values.${name}.cidrs | nindent INDENT }}`;
const port = (name, value) => ({
  of: new RegExp(`^NetworkPolicy/${name}$`),
  path: ['spec', 'egress', 0, 'ports', 0, 'port'],
  to: `{{ .Values.${value}.port }}`,
});

export const substitutions = [
  ...['events', 'webhooks', 'incidents', 'storage', 'payments'].map((name) => ({
    of: new RegExp(`^ConfigMap/${name}$`),
    path: ['data'],
    to: block(`.Values.settings.${name}`),
  })),
  {
    of: /^ConfigMap\/settings$/,
    path: ['data'],
    to: block('(set (deepCopy .Values.settings.services) "SVC_BASE_URL" .Values.baseUrl)'),
  },
  { of: /^ConfigMap\/catalog-/, path: ['data'], to: block('(include "svc.catalog" . | fromJson)') },
  { of: /^ConfigMap\/proxy-/, path: ['data'], to: block('(include "svc.proxy" . | fromJson)') },
  {
    of: /^ConfigMap\/svc-dashboard$/,
    path: ['data'],
    to: block('(dict "svc-dashboard.json" (.Files.Get "files/svc-dashboard.json"))'),
  },
  ...SERVICES.flatMap((name) => [
    {
      of: new RegExp(`^Deployment/${name}$`),
      path: [...container, 'resources'],
      to: block(`.Values.resources.${name}`),
    },
    {
      of: new RegExp(`^Deployment/${name}$`),
      path: ['spec', 'replicas'],
      // An applied count would undo what the autoscaler decided.
      to: ['worker', 'console'].includes(name)
        ? `{{ .Values.replicas.${name} }}`
        : { when: 'not .Values.autoscaling.enabled', value: `{{ .Values.replicas.${name} }}` },
    },
  ]),
  {
    of: /^PersistentVolumeClaim\/objects$/,
    path: ['spec', 'accessModes'],
    to: block('.Values.objects.accessModes'),
  },
  {
    of: /^PersistentVolumeClaim\/objects$/,
    path: ['spec', 'resources', 'requests', 'storage'],
    to: '{{ .Values.objects.size }}',
  },
  {
    of: /^PersistentVolumeClaim\/objects$/,
    path: ['spec', 'storageClassName'],
    to: {
      when: '.Values.objects.storageClassName',
      value: '{{ .Values.objects.storageClassName }}',
    },
  },
  { of: /^Ingress\/svc$/, path: ['metadata', 'annotations'], to: block('.Values.ingress.annotations') },
  { of: /^Ingress\/svc$/, path: ['spec', 'ingressClassName'], to: '{{ .Values.ingress.className }}' },
  { of: /^Ingress\/svc$/, path: ['spec', 'rules', 0, 'host'], to: '{{ include "svc.host" . }}' },
  {
    of: /^Ingress\/svc$/,
    path: ['spec', 'tls'],
    to: {
      when: '.Values.ingress.tlsSecret',
      value: block(
        '(list (dict "hosts" (list (include "svc.host" .)) "secretName" .Values.ingress.tlsSecret))',
      ),
    },
  },
  {
    of: /^NetworkPolicy\/ingress-to-proxy$/,
    path: ['spec', 'ingress', 0, 'from', 0, 'namespaceSelector', 'matchLabels'],
    to: block('(dict "kubernetes.io/metadata.name" .Values.ingress.controllerNamespace)'),
  },
  {
    of: /^NetworkPolicy\/monitoring-to-services$/,
    path: ['spec', 'ingress', 0, 'from', 0, 'namespaceSelector', 'matchLabels'],
    to: block('(dict "kubernetes.io/metadata.name" .Values.observability.namespace)'),
  },
  egress('all-to-postgres', cidrs('postgresql')),
  port('all-to-postgres', 'postgresql'),
  egress('edge-to-redis', cidrs('redis')),
  port('edge-to-redis', 'redis'),
  egress('events-to-kafka', block('.Values.kafka.peers')),
  port('events-to-kafka', 'kafka'),
  {
    of: /^Job\/set-up$/,
    path: ['metadata', 'annotations'],
    // Before a new version; at the first install after what it needs, which are objects of the same release.
    to: block(
      '(dict "helm.sh/hook" "post-install,pre-upgrade" "helm.sh/hook-delete-policy" "before-hook-creation")',
    ),
  },
];

const only = (of, value) => ({ of, open: `{{- if .Values.${value} }}`, close: '{{- end }}' });

/** Objects that a value switches off. */
export const wrappers = [
  only(/^HorizontalPodAutoscaler\//, 'autoscaling.enabled'),
  only(
    /^(ServiceMonitor|PrometheusRule)\/|^ConfigMap\/svc-dashboard$|^NetworkPolicy\/monitoring-/,
    'observability.enabled',
  ),
  only(/^(Kafka|KafkaNodePool|KafkaTopic|KafkaUser)\//, 'kafka.strimzi'),
  only(/^Ingress\//, 'ingress.enabled'),
];
