import { Injectable } from '@nestjs/common';
import { unknownResource, type Caller } from '@svc/api';
import { type Page, type Slice } from '@svc/kernel';
import {
  changedFields,
  initialFields,
  Mutations,
  ProjectStore,
  type ProjectChange,
  type ProjectFilter,
  type ProjectRecord,
} from '@svc/persistence';

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
    return this.store.list(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`, also for a project other than the caller's own. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ProjectRecord> {
    const found = projectId === null || projectId === id ? await this.store.find(organizationId, id) : null;
    if (found === null) throw unknownResource();
    return found;
  }

  create(caller: Caller, { name }: { readonly name: string }): Promise<ProjectRecord> {
    const { organizationId } = caller;
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const created = await this.store.create(tx, { id: newId('project'), organizationId, name });
      await audit('project.create', created.id, initialFields({ name }));
      return created;
    });
  }

  /** @throws GatewayError `notFound`. */
  change(caller: Caller, id: string, change: ProjectChange): Promise<ProjectRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.store.lock(tx, caller.organizationId, id);
      if (before === null) throw unknownResource();
      const after = await this.store.change(tx, id, change);
      await audit('project.update', id, changedFields(audited(before), audited(after)), audited(before));
      return after;
    });
  }
}

const audited = ({ name, state }: ProjectRecord) => ({ name, state });
