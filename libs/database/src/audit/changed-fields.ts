import { type JsonValue } from '@svc/kernel';
import { type Changes } from './audit-log';

type Fields = Readonly<Record<string, JsonValue>>;

type SomeFields = Readonly<Record<string, JsonValue | undefined>>;

/** The fields that a change changes, for the audit log. Must not be given secrets. */
export function changedFields(before: Fields, after: SomeFields): Changes {
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(
    names.map((name) => [name, { from: before[name] ?? null, to: after[name] ?? null }]),
  );
}

/** The fields of a new resource. */
export const initialFields = (fields: Fields): Changes =>
  Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, { to }]));
