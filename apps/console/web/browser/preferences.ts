import { useSyncExternalStore } from 'react';
import { type Zone } from '../format/time';

export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly zone: Zone;
  readonly density: 'compact' | 'comfortable';
  /** Whether single letters are shortcuts (WCAG 2.1.4). */
  readonly hasShortcuts: boolean;
  /** The organization that was looked at last; the address names it, this only chooses the first. */
  readonly organizationId: string | null;
}

const KEY = 'svc.console.preferences';
const defaults: Preferences = {
  theme: 'system',
  zone: 'local',
  density: 'compact',
  hasShortcuts: true,
  organizationId: null,
};
const choices: { readonly [K in keyof Preferences]: (value: unknown) => boolean } = {
  theme: (value) => value === 'system' || value === 'light' || value === 'dark',
  zone: (value) => value === 'local' || value === 'utc',
  density: (value) => value === 'compact' || value === 'comfortable',
  hasShortcuts: (value) => typeof value === 'boolean',
  organizationId: (value) => value === null || (typeof value === 'string' && /^org_\w+$/.test(value)),
};

let current = read();
const listeners = new Set<() => void>();

/** The preferences that the browser keeps. It keeps nothing else, and nothing of them is of value to anybody. */
export const preferences = {
  get: (): Preferences => current,
  set(change: Partial<Preferences>): void {
    adopt({ ...current, ...change });
    try {
      localStorage.setItem(KEY, JSON.stringify(current));
    } catch {
      // A browser that keeps nothing: the choice holds until the page is left.
    }
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export const usePreferences = (): Preferences => useSyncExternalStore(preferences.subscribe, preferences.get);

/** Writes theme and density to the document, and follows other tabs. Called once, before anything is drawn. */
export function applyPreferences(): void {
  mark(current);
  window.addEventListener('storage', ({ key }) => {
    // The organization is each tab's own.
    if (key === KEY) adopt({ ...read(), organizationId: current.organizationId });
  });
}

function adopt(next: Preferences): void {
  current = next;
  mark(next);
  for (const listener of listeners) listener();
}

function mark({ theme, density }: Preferences): void {
  const { dataset } = document.documentElement;
  dataset['theme'] = theme;
  dataset['density'] = density;
}

function read(): Preferences {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const valid = Object.entries(kept).filter(
      ([name, value]) => Object.hasOwn(choices, name) && choices[name as keyof Preferences](value),
    );
    return { ...defaults, ...Object.fromEntries(valid) };
  } catch {
    return defaults;
  }
}
