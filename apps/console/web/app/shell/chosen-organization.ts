import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { preferences } from '../../browser/preferences';
import { type Organization } from '../../session/session';
import { useSession } from '../../session/session-store';

export interface Chosen {
  readonly organization: Organization | null;
  /** The organization that the session no longer has, as it was last known. */
  readonly lost: { readonly name: string | null } | null;
}

/**
 * The organization that the address names; without one the last used, then the first. A member who is removed from it is
 * told so, and is not moved to another organization unasked.
 */
export function useChosenOrganization(): Chosen {
  const { organizations } = useSession();
  const { org } = useSearch({ strict: false }) as { org?: string };
  const [last, setLast] = useState<Organization | null>(null);
  const wanted = org ?? last?.id ?? preferences.get().organizationId;
  const isStrict = org !== undefined || last !== null;
  const organization =
    organizations.find(({ id }) => id === wanted) ?? (isStrict ? null : (organizations[0] ?? null));
  if (organization !== null && organization !== last) setLast(organization);
  useEffect(() => {
    if (organization !== null) preferences.set({ organizationId: organization.id });
  }, [organization]);
  if (organization !== null) return { organization, lost: null };
  return {
    organization: null,
    lost: isStrict ? { name: last?.id === wanted ? last.name : null } : null,
  };
}
