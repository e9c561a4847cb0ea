import { idOf, type AddressOf } from '../../browser/address';
import { type SimulatedSubject } from '../../calls/simulation';
import { type PolicyLevel } from '../../policies/policy';

/** Whose policy it is: `id` is that of the organization, the project or the key. */
export interface PolicyOwner {
  readonly level: PolicyLevel;
  readonly id: string;
}

export const ownerParameters = { project: idOf('project'), key: idOf('apiKey') };
/** The project or key that an address names. */
export type OwnerAddress = AddressOf<typeof ownerParameters>;

/** The owner in the address of a version: the key or project that it names, else the organization. */
export function ownerOf({ project, key }: OwnerAddress, organizationId: string): PolicyOwner {
  if (key !== undefined) return { level: 'key', id: key };
  return project === undefined
    ? { level: 'organization', id: organizationId }
    : { level: 'project', id: project };
}

/** The parameters by which an address names the owner. */
export const ownerAddress = ({ level, id }: PolicyOwner): OwnerAddress => ({
  project: level === 'project' ? ownerParameters.project([id]) : undefined,
  key: level === 'key' ? ownerParameters.key([id]) : undefined,
});

/** Whose calls a draft of the owner's policy is tried on. */
export function subjectOf({ level, id }: PolicyOwner): SimulatedSubject {
  if (level === 'organization') return {};
  return level === 'project' ? { level, project_id: id } : { level, api_key_id: id };
}
