import { z } from 'zod';

/**
 * A query whose objects are whole: `metadata[team]=search` becomes `metadata: {team: 'search'}` where the schema has
 * `metadata` as a record. OpenAPI calls this style `deepObject`.
 */
export function withObjects(query: z.ZodObject, given: object): Readonly<Record<string, unknown>> {
  const names = Object.keys(query.shape).filter((name) => isRecordSchema(query.shape[name]));
  if (names.length === 0) return { ...given };
  const fields: [string, unknown][] = [];
  const members = new Map<string, [string, unknown][]>();
  for (const [key, value] of Object.entries(given)) {
    const { name = '', member = '' } = /^(?<name>\w+)\[(?<member>[^[\]]+)\]$/.exec(key)?.groups ?? {};
    if (!names.includes(name) || name in given) fields.push([key, value]);
    else members.set(name, [...(members.get(name) ?? []), [member, value]]);
  }
  const objects = [...members].map(([name, pairs]) => [name, Object.fromEntries(pairs)] as const);
  return Object.fromEntries([...fields, ...objects]);
}

const isRecordSchema = (schema: unknown): boolean =>
  schema instanceof z.ZodOptional ? isRecordSchema(schema.unwrap()) : schema instanceof z.ZodRecord;
