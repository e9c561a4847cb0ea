import { useSyncExternalStore } from 'react';

interface StatusMessage {
  readonly id: number;
  readonly text: string;
}

/** How long a message stays: long enough to read twice. */
const SHOWN_MS = 8000;

let messages: readonly StatusMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly StatusMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}

/** Says a sentence in the `status` region, where it is seen and read out: `showStatus('Key revoked.')`. */
export function showStatus(text: string): void {
  const message = { id: ++lastId, text };
  set([...messages, message]);
  setTimeout(() => dismissStatus(message.id), SHOWN_MS);
}

export const dismissStatus = (id: number): void => set(messages.filter((message) => message.id !== id));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useStatusMessages = (): readonly StatusMessage[] =>
  useSyncExternalStore(subscribe, () => messages);
