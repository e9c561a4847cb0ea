import { GatewayError } from '@svc/kernel';
import { type Change } from '@svc/database';
import { LookupCache } from '../changes/lookup-cache';
import { type Caller } from '../call/caller';
import { type CallHeaders } from '../call/inference-call';

const PROJECTS_MAX = 100_000;

const PROJECT_HEADER = 'Compat-Project';
/**
 * The OpenAI SDK sends `OpenAI-*` when it is given a project or organization
 * (docs/reference/inference-and-compatibility.md#headers-of-a-call).
 */
const PROJECT_HEADERS = [PROJECT_HEADER, 'X-Svc-Project', 'OpenAI-Project'].map(asReceived);
const ORGANIZATION_HEADERS = ['Compat-Organization', 'OpenAI-Organization'].map(asReceived);

type IsActiveProject = (organizationId: string, projectId: string) => Promise<boolean>;

/** Finds the project that a call is booked on (docs/reference/inference-and-compatibility.md#project-of-a-call). */
export class ProjectResolver {
  private readonly cache = new LookupCache<boolean>(PROJECTS_MAX);

  constructor(private readonly isActiveProject: IsActiveProject) {}

  /**
   * @returns the project's id; null for an organization-wide key that names none.
   * @throws GatewayError `permissionDenied` when the organization header names another organization than the key's;
   * `notFound` when the project header names no project of that organization, and when the project, named or a project
   * key's own, is archived.
   */
  async resolve(caller: Caller, headers: CallHeaders): Promise<string | null> {
    const organization = named(headers, ORGANIZATION_HEADERS);
    if (organization !== null && organization.value !== caller.organizationId) {
      throw new GatewayError('permissionDenied', 'This API key belongs to another organization.', {
        param: organization.header,
      });
    }
    if (caller.projectId !== null) return this.ownProject(caller.organizationId, caller.projectId);
    const project = named(headers, PROJECT_HEADERS);
    if (project === null) return null;
    if (await this.isActive(caller.organizationId, project.value)) return project.value;
    throw new GatewayError('notFound', 'There is no such project in your organization.', {
      param: project.header,
    });
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.cache.invalidateAll();
    else if (change.of === 'project')
      this.cache.invalidate(cacheKey(change.organizationId, change.projectId));
  }

  /** A project key's project, whatever the header says. The error still names the header. */
  private async ownProject(organizationId: string, projectId: string): Promise<string> {
    if (await this.isActive(organizationId, projectId)) return projectId;
    throw new GatewayError('notFound', 'The project of this API key is archived.', {
      param: PROJECT_HEADER,
    });
  }

  private isActive(organizationId: string, projectId: string): boolean | Promise<boolean> {
    return this.cache.get(cacheKey(organizationId, projectId), () =>
      this.isActiveProject(organizationId, projectId),
    );
  }
}

const cacheKey = (organizationId: string, projectId: string): string => `${organizationId}/${projectId}`;

/** A header in its documented spelling, and in the lower case of Node.js. */
interface HeaderName {
  readonly header: string;
  readonly received: string;
}

function asReceived(header: string): HeaderName {
  return { header, received: header.toLowerCase() };
}

function named(headers: CallHeaders, names: readonly HeaderName[]): { header: string; value: string } | null {
  for (const { header, received } of names) {
    const value = headers[received];
    if (typeof value === 'string' && value !== '') return { header, value };
  }
  return null;
}
