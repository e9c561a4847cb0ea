import { createContext, use } from 'react';
import { type Organization, type Permission } from './session';

/** The organization in the address, as the session describes it at this moment. */
export const OrganizationContext = createContext<Organization | null>(null);

/** @throws Error outside the shell, which shows pages only with an organization. */
export function useOrganization(): Organization {
  const organization = use(OrganizationContext);
  if (organization === null) throw new Error('No organization is chosen.');
  return organization;
}

/** Whether the role may do it now: `useCan('key:create')`. A control that it may not use is absent. */
export const useCan = (permission: Permission): boolean => useOrganization().permissions.includes(permission);
