import { useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Organization } from '../../session/session';
import { useSession } from '../../session/session-store';
import { preferences } from '../preferences';

export interface Chosen {
  readonly organization: Organization | null;
  /** The organization that the session no longer has, as it was last known. */
  readonly lost: { readonly name: string | null } | null;
}

/** The organization that the address names; without one the last used, then the first. */
export function useChosenOrganization(): Chosen {
  const { organizations } = useSession();
  const { org } = useSearch({ strict: false }) as { org?: string };
  const wanted = org ?? preferences.get().organizationId;
  const organization =
    organizations.find(({ id }) => id === wanted) ?? (org === undefined ? (organizations[0] ?? null) : null);
  const [last, setLast] = useState(organization);
  if (organization !== null && organization !== last) setLast(organization);
  useEffect(() => {
    if (organization !== null) preferences.set({ organizationId: organization.id });
  }, [organization]);
  if (organization !== null) return { organization, lost: null };
  return {
    organization: null,
    lost: org === undefined ? null : { name: last?.id === org ? last.name : null },
  };
}
