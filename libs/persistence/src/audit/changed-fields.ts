import { type JsonValue } from '@svc/kernel';
import { type Changes } from './audit-log';

type Fields = Readonly<Record<string, JsonValue>>;

type SomeFields = Readonly<Record<string, JsonValue | undefined>>;

/** What became different, or would by a change of some fields, for the audit log. Give it no secrets. */
export function changedFields(before: Fields, after: SomeFields): Changes {
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(
    names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
}

/** What a new thing began with. */
export const initialFields = (fields: Fields): Changes =>
  Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, { to }]));
