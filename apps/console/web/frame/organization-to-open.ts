import { preferences } from '../browser/preferences';
import { type Organization } from '../session/session';
import { sessionStore } from '../session/session-store';

/** The organization that a page which is opened now will show, as far as that is known before it is drawn. */
export function organizationToOpen(org: string | undefined): Organization | undefined {
  const { organizations } = sessionStore.get().session;
  const wanted = org ?? preferences.get().organizationId;
  const found = organizations.find(({ id }) => id === wanted);
  return found ?? (org === undefined ? organizations[0] : undefined);
}
