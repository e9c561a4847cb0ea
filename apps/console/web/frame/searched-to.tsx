import { isId, timeOfId, type IdKind } from '@svc/kernel';
import { type ReactElement } from 'react';
import { Time } from '../ui/text/time';

interface SearchedToProps {
  readonly cursor: string | null;
  /** The kind of the list's items: its cursors name the last one that was looked at. */
  readonly kind: IdKind;
}

/** How far back a bounded search has looked. */
export function SearchedTo({ cursor, kind }: SearchedToProps): ReactElement {
  const at = cursor === null ? null : timeOf(cursor, kind);
  return at === null ? <>an earlier time</> : <Time at={at} as="instant" />;
}

function timeOf(cursor: string, kind: IdKind): string | null {
  try {
    const id = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
    return isId(kind, id) ? new Date(timeOfId(id)).toISOString() : null;
  } catch {
    return null;
  }
}
