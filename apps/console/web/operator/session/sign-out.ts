import { queryClient } from '../../api/query-client';
import { tokenStore } from './token-store';

/** Forgets the token, and everything that it has read. */
export function signOut(): void {
  tokenStore.signOut();
  queryClient.clear();
}
