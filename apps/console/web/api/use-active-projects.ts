import { useCan } from '../session/organization';
import { type components } from './generated/management';
import { useRead } from './use-api';

export type Project = components['schemas']['Project'];

/** More projects than a list offers are found on the page of projects. */
const OFFERED = 100;

/** The organization's projects, archived ones too, the newest first. Empty until they are there, and for a role that may not read them. */
export function useProjects(): readonly Project[] {
  const query = { limit: OFFERED };
  const projects = useRead('/projects', { params: { query } }, { enabled: useCan('project:read') });
  return projects.data?.data ?? [];
}

/** Those of them that take calls. */
export const useActiveProjects = (): readonly Project[] =>
  useProjects().filter(({ state }) => state === 'active');
