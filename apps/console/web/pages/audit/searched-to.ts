import { isId, timeOfId } from '@svc/kernel';

/** How far back a bounded search has looked: the time of the entry that its cursor names; null if it names none. */
export function searchedTo(cursor: string): string | null {
  try {
    const id = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    return isId('auditEntry', id) ? new Date(timeOfId(id)).toISOString() : null;
  } catch {
    return null;
  }
}
