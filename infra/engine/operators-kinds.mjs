import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../k8s/schemas/manifests.jsonschema');

/** The kinds of the operators that manifests use, as CustomResourceDefinitions of the schemas that infra/k8s/schemas has. */
export function operatorsKinds() {
  const { kinds, definitions } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.entries(kinds)
    .filter(([kind]) => /^(kafka\.strimzi\.io|monitoring\.coreos\.com)\//.test(kind))
    .map(([id, schema]) => {
      const [, group, version, kind] = /^(.+)\/(\S+) (\S+)$/.exec(id);
      const plural = `${kind.toLowerCase()}${kind === 'Kafka' ? '' : 's'}`;
      const openAPIV3Schema = structural(
        { ...schema, properties: { spec: schema.properties.spec } },
        definitions,
      );
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind, plural },
          versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
        },
      };
    });
}

/** As an API server takes schemas: no references, one type each; it refuses unknown fields by itself. */
function structural(schema, definitions) {
  const { $ref, type, properties, items, additionalProperties, ...others } = schema;
  if ($ref !== undefined) return structural(definitions[$ref.replace('#/definitions/', '')], definitions);
  const deeper = (each) => structural(each, definitions);
  if (Array.isArray(type)) return { 'x-kubernetes-int-or-string': true };
  if (type === undefined) return { 'x-kubernetes-preserve-unknown-fields': true };
  return {
    ...others,
    type,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, deeper(each)])),
    }),
    ...(items && { items: deeper(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: deeper(additionalProperties) }),
    ...(type === 'object' &&
      !properties &&
      !additionalProperties && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}
