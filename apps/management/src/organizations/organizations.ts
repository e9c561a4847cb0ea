import { Injectable } from '@nestjs/common';
import { type OrganizationRecord, OrganizationStore } from '@svc/access/store';
import { known, recordFields, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
import { type z } from 'zod';
import { auditedOrganization, type organizationChange } from './organization-schema';

/** Organizations as their members and keys see them. */
@Injectable()
export class Organizations {
  constructor(
    private readonly store: OrganizationStore,
    private readonly mutations: Mutations,
  ) {}

  /** A session's user sees every organization that they are a member of; other callers act in one. */
  async list(caller: Caller, page: Page): Promise<Slice<OrganizationRecord>> {
    const { actor, userId } = caller;
    if (actor.type === 'user' && userId !== null) return this.store.listOfMember(userId, page);
    const own = await this.get(caller);
    return { items: page.before === null || own.id < page.before ? [own] : [], hasMore: false };
  }

  /** The organization that the call is about. */
  async get({ organizationId }: Caller): Promise<OrganizationRecord> {
    return known(await this.store.findOrganization(organizationId));
  }

  change(caller: Caller, body: z.output<typeof organizationChange>): Promise<OrganizationRecord> {
    const { organizationId } = caller;
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = known(await this.store.lockOrganization(tx, organizationId));
      const changes = changedFields(auditedOrganization(before), body);
      if (Object.keys(changes).length === 0) return before;
      const after = await this.store.changeOrganization(tx, organizationId, recordFields(body));
      await audit('organization.update', organizationId, changes, auditedOrganization(before));
      return after;
    });
  }
}
