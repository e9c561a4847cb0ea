import { Injectable } from '@nestjs/common';
import { requireVersion, unknownResource, type Caller, type IfMatch } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { DEFAULT_POLICY_DOCUMENT, readStoredPolicy, type PolicyDocument } from '@svc/policy';
import { type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
import { PolicyStore, type PolicyVersionRecord } from '@svc/policy/store';

/** An organization's routing and data policy. A version never changes: each change makes the next version. */
@Injectable()
export class Policies {
  constructor(
    private readonly store: PolicyStore,
    private readonly mutations: Mutations,
  ) {}

  /** @returns null for an organization that has never written one: the default applies. */
  current({ organizationId }: Caller): Promise<PolicyVersionRecord | null> {
    return this.store.newest(organizationId);
  }

  list({ organizationId }: Caller, page: Page): Promise<Slice<PolicyVersionRecord>> {
    return this.store.list(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<PolicyVersionRecord> {
    const found = await this.store.find(organizationId, id);
    if (found === null) throw unknownResource();
    return found;
  }

  /**
   * @param seen the versions that the caller means to replace; null for any.
   * @throws GatewayError `preconditionFailed`.
   */
  replace(caller: Caller, document: PolicyDocument, seen: IfMatch): Promise<PolicyVersionRecord> {
    const { organizationId, userId } = caller;
    return this.mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      const before = audited(await this.store.lockNewest(tx, organizationId));
      requireVersion(seen, before.version);
      const version = before.version + 1;
      const id = newId('policy');
      const written = await this.store.append(tx, {
        id,
        organizationId,
        version,
        document,
        createdBy: userId,
      });
      await audit('policy.update', id, changedFields(before, { version, ...document }), before);
      await announce('policy.updated', { policy_id: id, version });
      return written;
    });
  }
}

const audited = (record: PolicyVersionRecord | null) =>
  record === null
    ? { version: 0, ...DEFAULT_POLICY_DOCUMENT }
    : { version: record.version, ...readStoredPolicy(record.document) };
