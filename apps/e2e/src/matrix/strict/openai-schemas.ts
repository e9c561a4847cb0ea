import { type Body } from './vendor-rules';

/** Where OpenAI takes a JSON schema that the answer must match exactly. */
interface StrictSchema {
  /** `function`, or the parameter. */
  readonly at: string;
  readonly name: unknown;
  readonly schema: unknown;
}

/** Faults of objects in a strict schema, in which OpenAI wants no other members, and none that is optional. */
export function strictSchemaProblem(schemas: readonly StrictSchema[]): string | null {
  for (const { at, name, schema } of schemas)
    for (const object of objectsOf(schema)) {
      const start = `Invalid schema for ${at} '${String(name)}':`;
      if (object.additionalProperties !== false)
        return `${start} 'additionalProperties' is required to be supplied and to be false.`;
      const required = new Set(Array.isArray(object.required) ? (object.required as unknown[]) : []);
      const left = Object.keys((object.properties ?? {}) as Body).find((key) => !required.has(key));
      if (left !== undefined)
        return `${start} 'required' is required to be supplied and to be an array including every key in properties. Missing '${left}'.`;
    }
  return null;
}

/** Every schema of an object inside a JSON schema. */
function objectsOf(schema: unknown): readonly Body[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = schema as Body;
  const inner = Object.values(own).flatMap((value) =>
    Array.isArray(value) ? value.flatMap(objectsOf) : objectsOf(value),
  );
  return own.type === 'object' ? [own, ...inner] : inner;
}
