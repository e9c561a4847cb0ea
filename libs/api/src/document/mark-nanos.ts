import { type OpenApiDocument } from './rendered-document';

const MARK = 'x-nanos';

/**
 * Marks every field and parameter whose name ends in `_nanos`, so that generators of clients can give it a type that is
 * exact at any size (docs/reference/money.md#units).
 */
export function markNanos(document: OpenApiDocument): OpenApiDocument {
  mark(document);
  return document;
}

function mark(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const { properties = {}, name, schema } = node as Partial<Record<string, object>>;
  for (const [field, of] of Object.entries(properties))
    if (isAmount(field)) Object.assign(of as object, { [MARK]: true });
  if (schema !== undefined && isAmount(name)) Object.assign(schema, { [MARK]: true });
  for (const inner of Object.values(node)) mark(inner);
}

const isAmount = (name: unknown): boolean => typeof name === 'string' && name.endsWith('_nanos');
