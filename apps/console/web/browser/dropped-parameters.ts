import { useSyncExternalStore } from 'react';
import { idOf, readAddress, type AddressOf, type Parameter } from './address';

let dropped: readonly string[] = [];
const listeners = new Set<() => void>();

function set(names: readonly string[]): void {
  dropped = names;
  for (const listener of listeners) listener();
}

const shared = { org: idOf('organization') };

/**
 * The search parameters of a route, for its `validateSearch`. What does not parse is dropped, and a notice names it.
 * `org` belongs to every page.
 */
export function address<S extends Readonly<Record<string, Parameter<unknown>>>>(
  schema: S,
): (raw: Record<string, unknown>) => AddressOf<S> {
  return (raw) => {
    const { values, dropped: names } = readAddress(schema, raw);
    const unknown = names.filter((name) => !Object.hasOwn(shared, name));
    // Addresses are read while the page is drawn, when nothing else may change.
    if (unknown.length > 0) queueMicrotask(() => noteDropped(unknown));
    return { ...without(unknown), ...values };
  };
}

/** The parameter of every page. */
export function sharedAddress(raw: Record<string, unknown>): AddressOf<typeof shared> {
  const { values, dropped: names } = readAddress(shared, { org: raw['org'] });
  if (names.length > 0) queueMicrotask(() => noteDropped(names));
  return { ...without(names), ...values };
}

/** The router adds what is read to what the address has, so what is dropped must be there as undefined. */
const without = (names: readonly string[]): Readonly<Record<string, undefined>> =>
  Object.fromEntries(names.map((name) => [name, undefined]));

const noteDropped = (names: readonly string[]): void => {
  if (names.some((name) => !dropped.includes(name))) set([...new Set([...dropped, ...names])]);
};
export const forgetDropped = (): void => {
  if (dropped.length > 0) set([]);
};
export const useDropped = (): readonly string[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => dropped,
  );
