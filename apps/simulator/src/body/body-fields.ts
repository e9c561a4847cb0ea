import { Refusal } from '../refusal';

/** The fields of a JSON object, not yet validated. */
export type BodyFields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is BodyFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function wrongType(param: string, expected: string): Refusal {
  return new Refusal(400, `Invalid type for '${param}': expected ${expected}.`, {
    param,
    code: 'invalid_type',
  });
}

export function missing(param: string): Refusal {
  return new Refusal(400, `Missing required parameter: '${param}'.`, {
    param,
    code: 'missing_required_parameter',
  });
}

export function requiredText(fields: BodyFields, param: string): string {
  const value = fields[param] ?? '';
  if (typeof value !== 'string') throw wrongType(param, 'a string');
  if (value === '') throw missing(param);
  return value;
}

export function optionalFlag(fields: BodyFields, param: string): boolean {
  const value = fields[param] ?? false;
  if (typeof value !== 'boolean') throw wrongType(param, 'a boolean');
  return value;
}

export function optionalCount(fields: BodyFields, param: string): number | undefined {
  const value = fields[param] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw wrongType(param, 'a positive integer');
  return value;
}

/** One string or a list of strings; absent or null is an empty list. */
export function optionalTexts(fields: BodyFields, param: string): readonly string[] {
  const value = fields[param] ?? [];
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string'))
    throw wrongType(param, 'a string or a list of strings');
  return texts.filter((text) => text !== '');
}

/** A list of objects; absent or null is an empty list. */
export function optionalObjects(fields: BodyFields, param: string): readonly BodyFields[] {
  const value: unknown = fields[param] ?? [];
  if (!Array.isArray(value)) throw wrongType(param, 'a list');
  value.forEach((item, at) => {
    if (!isFields(item)) throw wrongType(`${param}[${String(at)}]`, 'an object');
  });
  return value as readonly BodyFields[];
}
