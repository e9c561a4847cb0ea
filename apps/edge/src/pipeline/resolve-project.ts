import { GatewayError } from '@svc/kernel';
import { type Change } from '@svc/persistence';
import { BelievedAnswers } from '../changes/believed-answers';
import { type Caller } from './caller';

const PROJECTS_MAX = 100_000;

const PROJECT_HEADER = 'Compat-Project';
/** `OpenAI-*` is what the OpenAI SDK sends when it is given a project or organization (contract.md section 4). */
const PROJECT_HEADERS = [PROJECT_HEADER, 'X-Svc-Project', 'OpenAI-Project'].map(asReceived);
const ORGANIZATION_HEADERS = ['Compat-Organization', 'OpenAI-Organization'].map(asReceived);

export type CallHeaders = Readonly<Record<string, string | string[] | undefined>>;
type IsActiveProject = (organizationId: string, projectId: string) => Promise<boolean>;

/** Finds the project that a call is booked on (interface.md, Inference: Compatibility rules 1 and 2). */
export class ProjectResolver {
  private readonly known = new BelievedAnswers<boolean>(PROJECTS_MAX);

  constructor(private readonly isActiveProject: IsActiveProject) {}

  /**
   * @returns the project's id; null for an organization-wide key that names none.
   * @throws GatewayError `permissionDenied` when the organization header names another organization than the key's;
   * `notFound` when the project header names no project of it, and for an archived project: the one that is named, or
   * a project key's own.
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

  forget(change: Change): void {
    if (change.of === 'anything') this.known.forgetAll();
    else if (change.of === 'project') this.known.forget(cacheKey(change.organizationId, change.projectId));
  }

  /** Whatever a header says, so the refusal names the header that would say it. */
  private async ownProject(organizationId: string, projectId: string): Promise<string> {
    if (await this.isActive(organizationId, projectId)) return projectId;
    throw new GatewayError('notFound', 'The project of this API key is archived.', {
      param: PROJECT_HEADER,
    });
  }

  private isActive(organizationId: string, projectId: string): boolean | Promise<boolean> {
    return this.known.of(cacheKey(organizationId, projectId), () =>
      this.isActiveProject(organizationId, projectId),
    );
  }
}

const cacheKey = (organizationId: string, projectId: string): string => `${organizationId}/${projectId}`;

/** A header as callers know it, and under the name that Node.js gives it. */
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
