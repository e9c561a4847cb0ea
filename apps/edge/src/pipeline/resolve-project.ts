import { LRUCache } from 'lru-cache';
import { GatewayError } from '@svc/kernel';
import { type Caller } from './caller';

const PROJECT_AGE_MAX_MS = 10_000;
const PROJECTS_MAX = 100_000;

/** `OpenAI-*` is what the OpenAI SDK sends when it is given a project or organization (contract.md section 4). */
const PROJECT_HEADERS = ['Compat-Project', 'X-Svc-Project', 'OpenAI-Project'] as const;
const ORGANIZATION_HEADERS = ['Compat-Organization', 'OpenAI-Organization'] as const;

export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;
type ProjectExists = (organizationId: string, projectId: string) => Promise<boolean>;

interface ProjectName {
  readonly organizationId: string;
  readonly projectId: string;
}

/** Finds the project that a call is booked on (interface.md, Inference: Compatibility rules 1 and 2). */
export class ProjectResolver {
  private readonly known: LRUCache<string, { readonly exists: boolean }, ProjectName>;

  constructor(projectExists: ProjectExists) {
    this.known = new LRUCache({
      max: PROJECTS_MAX,
      ttl: PROJECT_AGE_MAX_MS,
      fetchMethod: async (_, __, { context }: { context: ProjectName }) => ({
        exists: await projectExists(context.organizationId, context.projectId),
      }),
    });
  }

  /**
   * @returns the project's id; null for an organization-wide key that names none.
   * @throws GatewayError `permissionDenied` when the organization header names another organization than the key's;
   * `notFound` when the project header names no project of it.
   */
  async resolve(caller: Caller, headers: CallHeaders): Promise<string | null> {
    const organization = named(headers, ORGANIZATION_HEADERS);
    if (organization !== null && organization.value !== caller.organizationId) {
      throw new GatewayError('permissionDenied', 'This API key belongs to another organization.', {
        param: organization.header,
      });
    }
    if (caller.projectId !== null) return caller.projectId;
    const project = named(headers, PROJECT_HEADERS);
    if (project === null) return null;
    const context = { organizationId: caller.organizationId, projectId: project.value };
    const known = await this.known.fetch(`${context.organizationId}/${context.projectId}`, { context });
    if (known?.exists !== true) {
      throw new GatewayError('notFound', 'There is no such project in your organization.', {
        param: project.header,
      });
    }
    return project.value;
  }
}

function named<H extends string>(
  headers: CallHeaders,
  names: readonly H[],
): { header: H; value: string } | null {
  for (const header of names) {
    const value = headers[header.toLowerCase()];
    if (typeof value === 'string' && value !== '') return { header, value };
  }
  return null;
}
