import { isRecord, type JsonRecord } from '../../json/byte-text';
import { listIn, recordIn } from '../untyped-json';

/**
 * True where OpenAI would take a JSON schema with `strict`: every object in it requires all of its properties and allows
 * no others. Anthropic requires only that it allows no others.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isRecord(schema)) return true;
  if (listOrOne(schema['type']).includes('object') && !isClosed(schema)) return false;
  return Object.entries(schema).every(([keyword, value]) =>
    // The keys of these objects are names, not keywords.
    ['properties', '$defs', 'definitions'].includes(keyword)
      ? Object.values(recordIn(value)).every(isStrictSchema)
      : ['enum', 'const', 'default', 'examples', 'required'].includes(keyword) || isStrictSchema(value),
  );
}

function isClosed({ properties, required, additionalProperties }: JsonRecord): boolean {
  const all = new Set(listIn(required));
  return additionalProperties === false && Object.keys(recordIn(properties)).every((name) => all.has(name));
}

const listOrOne = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);
