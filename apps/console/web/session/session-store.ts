import { useSyncExternalStore } from 'react';
import { type Session } from './session';

/** `ended`: the service no longer knows the session, and nobody has logged in again yet. */
type SessionState =
  | { readonly phase: 'live'; readonly session: Session }
  | { readonly phase: 'ended'; readonly session: Session };

let state: SessionState | null = null;
const listeners = new Set<() => void>();
let resume: (() => void) | null = null;
let resumed: Promise<void> = Promise.resolve();

function set(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The one place that knows the session. It lives in memory only. */
export const sessionStore = {
  /** @throws Error before the first session was loaded. */
  get(): SessionState {
    if (state === null) throw new Error('No session was loaded.');
    return state;
  },
  isLoaded: (): boolean => state !== null,
  begin(session: Session): void {
    set({ phase: 'live', session });
    resume?.();
    resume = null;
  },
  /** Says that a session is no longer known: a late answer to a call of an earlier one ends nothing. */
  end(csrfToken: string | undefined = state?.session.csrf_token): void {
    if (state?.phase !== 'live' || state.session.csrf_token !== csrfToken) return;
    resumed = new Promise((resolve) => {
      resume = resolve;
    });
    set({ phase: 'ended', session: state.session });
  },
  /** Resolves at once while the session is live, otherwise when its user has logged in again. */
  live: (): Promise<void> => resumed,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export const useSessionState = (): SessionState =>
  useSyncExternalStore(sessionStore.subscribe, sessionStore.get);
export const useSession = (): Session => useSessionState().session;
