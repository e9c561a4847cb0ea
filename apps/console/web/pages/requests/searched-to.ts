import { isId, timeOfId } from '@svc/kernel';

/** How far back a bounded search has looked: the time of the call that its cursor names; null if it names none. */
export function searchedTo(cursor: string | null): string | null {
  if (cursor === null) return null;
  try {
    const id = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    return isId('request', id) ? new Date(timeOfId(id)).toISOString() : null;
  } catch {
    return null;
  }
}
