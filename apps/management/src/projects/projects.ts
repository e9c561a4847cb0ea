import { Injectable } from '@nestjs/common';
import {
  changedFields,
  initialFields,
  Mutations,
  ProjectStore,
  type ProjectChange,
  type ProjectRecord,
} from '@svc/persistence';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';

/** An organization's projects: what keys, budgets and usage are set apart by. */
@Injectable()
export class Projects {
  constructor(
    private readonly store: ProjectStore,
    private readonly mutations: Mutations,
  ) {}

  list({ organizationId, projectId }: Caller, page: Page): Promise<Slice<ProjectRecord>> {
    return this.store.list(organizationId, page, projectId);
  }

  /** @throws GatewayError `notFound`, also for a project that the caller's own is not. */
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
      await audit('project.update', id, changedFields(audited(before), audited(after)));
      return after;
    });
  }
}

const audited = ({ name, state }: ProjectRecord) => ({ name, state });
