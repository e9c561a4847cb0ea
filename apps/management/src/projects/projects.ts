import { Injectable } from '@nestjs/common';
import { type ProjectChange, type ProjectFilter, type ProjectRecord, ProjectStore } from '@svc/access/store';
import { known, requireRoom, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import { PROJECTS_MAX } from './project-schema';

/** An organization's projects, which group its keys, budgets and usage. */
@Injectable()
export class Projects {
  constructor(
    private readonly store: ProjectStore,
    private readonly mutations: Mutations,
  ) {}

  list(
    { organizationId, projectId }: Caller,
    page: Page,
    filter: ProjectFilter,
  ): Promise<Slice<ProjectRecord>> {
    return this.store.listProjects(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`, also for a project other than the caller's own. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ProjectRecord> {
    return known(
      projectId === null || projectId === id ? await this.store.findProject(organizationId, id) : null,
    );
  }

  /** @throws GatewayError `conflict` above the most projects. */
  create(caller: Caller, { name }: { readonly name: string }): Promise<ProjectRecord> {
    const { organizationId } = caller;
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const count = await this.store.lockProjectCount(tx, organizationId);
      requireRoom(count, PROJECTS_MAX, 'active projects', REMEDY);
      const created = await this.store.createProject(tx, { id: newId('project'), organizationId, name });
      await audit('project.create', created.id, initialFields({ name }));
      return created;
    });
  }

  /** @throws GatewayError `notFound`; `conflict` above the most projects. */
  change(caller: Caller, id: string, change: ProjectChange): Promise<ProjectRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      // The organization is locked before the project, in the order of a project's creation.
      const count =
        change.state === 'active' ? await this.store.lockProjectCount(tx, caller.organizationId) : 0;
      const before = known(await this.store.lockProject(tx, caller.organizationId, id));
      if (before.state === 'archived') requireRoom(count, PROJECTS_MAX, 'active projects', REMEDY);
      const after = await this.store.changeProject(tx, id, change);
      await audit('project.update', id, changedFields(audited(before), audited(after)), audited(before));
      return after;
    });
  }
}

const REMEDY = 'archive one first';

const audited = ({ name, state }: ProjectRecord) => ({ name, state });
