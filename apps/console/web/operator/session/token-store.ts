import { useSyncExternalStore } from 'react';

/** Why the token is asked for again, over a page that stays. */
export type EndReason = 'refused' | 'idle';

/**
 * `out`: nobody has signed in, or somebody signed out. `ended`: the token is forgotten, and the page waits for it.
 */
type OperatorSession =
  | { readonly phase: 'out' }
  | { readonly phase: 'live' }
  | { readonly phase: 'ended'; readonly reason: EndReason };

const OUT: OperatorSession = { phase: 'out' };
const LIVE: OperatorSession = { phase: 'live' };

let state: OperatorSession = OUT;
/** Nowhere else: not in storage, not in a cookie, not in an address, not in what React keeps. */
let token: string | null = null;
let waiting: { readonly promise: Promise<string>; readonly resolve: (token: string) => void } | null = null;
const listeners = new Set<() => void>();

function set(next: OperatorSession): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The one place that knows the operator's token. It is forgotten with the page. */
export const tokenStore = {
  get: (): OperatorSession => state,
  begin(entered: string): void {
    token = entered;
    waiting?.resolve(entered);
    waiting = null;
    set(LIVE);
  },
  /** Forgets the token, and keeps the page. A late answer to a call with an earlier token ends nothing. */
  end(reason: EndReason, refused: string | null = token): void {
    if (state.phase !== 'live' || token !== refused) return;
    token = null;
    set({ phase: 'ended', reason });
  },
  signOut(): void {
    token = null;
    set(OUT);
  },
  /** The token: at once while it is known, otherwise when it has been entered. */
  live(): Promise<string> {
    if (token !== null) return Promise.resolve(token);
    waiting ??= Promise.withResolvers<string>();
    return waiting.promise;
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export const useOperatorSession = (): OperatorSession =>
  useSyncExternalStore(tokenStore.subscribe, tokenStore.get);

/** Whether a text can be sent as a token at all: visible ASCII. */
export const isTokenLike = (text: string): boolean => /^[\x21-\x7e]{1,1000}$/.test(text);
