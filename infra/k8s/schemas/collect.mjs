// `node infra/k8s/schemas/collect.mjs <kubernetes> <strimzi> <prometheus-operator>`, three checkouts: writes manifests.jsonschema.
// The schemas that Kubernetes publishes are open and have descriptions; these are closed and have none.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const [kubernetes, strimzi, prometheusOperator] = process.argv.slice(2);
const BUILT_IN = {
  'v1 ConfigMap': 'core.v1.ConfigMap',
  'v1 PersistentVolumeClaim': 'core.v1.PersistentVolumeClaim',
  'v1 Namespace': 'core.v1.Namespace',
  'v1 Service': 'core.v1.Service',
  'v1 ServiceAccount': 'core.v1.ServiceAccount',
  'apps/v1 Deployment': 'apps.v1.Deployment',
  'apps/v1 StatefulSet': 'apps.v1.StatefulSet',
  'autoscaling/v2 HorizontalPodAutoscaler': 'autoscaling.v2.HorizontalPodAutoscaler',
  'batch/v1 Job': 'batch.v1.Job',
  'networking.k8s.io/v1 Ingress': 'networking.v1.Ingress',
  'networking.k8s.io/v1 NetworkPolicy': 'networking.v1.NetworkPolicy',
  'policy/v1 PodDisruptionBudget': 'policy.v1.PodDisruptionBudget',
};
const CUSTOM = [
  [join(strimzi, 'install/cluster-operator'), /-Crd-kafka(topic|nodepool|user)?\.yaml$/],
  [join(prometheusOperator, 'example/prometheus-operator-crd'), /_(servicemonitors|prometheusrules)\.yaml$/],
];
/** Strings in the published schemas; a number is valid for both. */
const SCALARS = { IntOrString: ['integer', 'string'], Quantity: ['number', 'string'] };

const all = JSON.parse(readFileSync(join(kubernetes, 'api/openapi-spec/swagger.json'), 'utf8')).definitions;
const definitions = {};
const kinds = {};

for (const [kind, name] of Object.entries(BUILT_IN)) kinds[kind] = reference(`io.k8s.api.${name}`);
for (const [folder, wanted] of CUSTOM) {
  for (const file of readdirSync(folder).filter((name) => wanted.test(name))) {
    const { spec } = parse(readFileSync(join(folder, file), 'utf8'));
    const { openAPIV3Schema } = spec.versions.find(({ name }) => name === 'v1').schema;
    const schema = closed(openAPIV3Schema);
    schema.properties.metadata = reference('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');
    kinds[`${spec.group}/v1 ${spec.names.kind}`] = schema;
  }
}
const lines = (entries) =>
  Object.entries(entries).map((entry) => entry.map((part) => JSON.stringify(part)).join(':'));
writeFileSync(
  join(import.meta.dirname, 'manifests.jsonschema'),
  `{"kinds":{\n${lines(kinds).join(',\n')}\n},"definitions":{\n${lines(definitions).join(',\n')}\n}}\n`,
);

function reference(name) {
  const scalar = SCALARS[name.split('.').at(-1)];
  if (scalar) return { type: scalar };
  if (!(name in definitions)) {
    definitions[name] = {};
    definitions[name] = closed(all[name]);
  }
  return { $ref: `#/definitions/${name}` };
}

/** Removes descriptions, defaults and Go's patterns, and forbids unnamed properties. */
function closed(schema) {
  if (schema.$ref) return reference(schema.$ref.split('/').at(-1));
  if (schema['x-kubernetes-int-or-string']) return { type: SCALARS.IntOrString };
  const { type, required, enum: values, properties, items, additionalProperties } = schema;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return Object.fromEntries(
    Object.entries({
      type,
      required,
      enum: values,
      items: items && closed(items),
      properties:
        properties &&
        Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, closed(inner)])),
      additionalProperties: additionalProperties
        ? additionalProperties === true || closed(additionalProperties)
        : properties && !isOpen
          ? false
          : undefined,
    }).filter(([, value]) => value !== undefined),
  );
}
