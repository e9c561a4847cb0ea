import { Injectable } from '@nestjs/common';
import { requireVersion, unknownResource, type Caller, type IfMatch } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { DEFAULT_POLICY_DOCUMENT, readStoredPolicy, storedDocument, type PolicyDocument } from '@svc/policy';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import { LowerPolicyStore, PolicyStore, type PolicyVersionRecord } from '@svc/policy/store';
import { refuseNarrowedKey } from './narrowed-keys';

/** An organization's routing and data policy. A version never changes: each change makes the next version. */
@Injectable()
export class Policies {
  constructor(
    private readonly store: PolicyStore,
    private readonly lower: LowerPolicyStore,
    private readonly mutations: Mutations,
  ) {}

  /** @returns null for an organization that has never written one: the default applies. */
  async current({ organizationId, projectId }: Caller): Promise<PolicyVersionRecord | null> {
    refuseProject(projectId);
    return this.store.newest(organizationId);
  }

  async list({ organizationId, projectId }: Caller, page: Page): Promise<Slice<PolicyVersionRecord>> {
    refuseProject(projectId);
    return this.store.list(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<PolicyVersionRecord> {
    refuseProject(projectId);
    const found = await this.store.find(organizationId, id);
    if (found === null) throw unknownResource();
    return found;
  }

  /**
   * @param seen the versions that the caller means to replace; null for any.
   * @throws GatewayError `preconditionFailed`; `permissionDenied` for a key that has a policy.
   */
  replace(caller: Caller, document: PolicyDocument, seen: IfMatch): Promise<PolicyVersionRecord> {
    const { organizationId, userId } = caller;
    return this.mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      await refuseNarrowedKey(tx, caller, this.lower);
      const before = audited(await this.store.lockNewest(tx, organizationId));
      requireVersion(seen, before.version);
      const version = before.version + 1;
      const id = newId('policy');
      const written = await this.store.append(tx, {
        id,
        organizationId,
        version,
        document: storedDocument(document),
        createdBy: userId,
      });
      const changes = {
        ...initialFields({ level: 'organization' }),
        ...changedFields(before, { version, ...document }),
      };
      await audit('policy.update', id, changes, before);
      const level = 'organization';
      await announce('policy.updated', { policy_id: id, version, level, project_id: null, api_key_id: null });
      return written;
    });
  }
}

/** @throws GatewayError `permissionDenied` for a key of one project: it reads the policies of that alone. */
function refuseProject(projectId: string | null): void {
  if (projectId === null) return;
  throw new GatewayError('permissionDenied', 'A project’s key cannot read the policy of the organization.');
}

const audited = (record: PolicyVersionRecord | null) =>
  record === null
    ? { version: 0, ...DEFAULT_POLICY_DOCUMENT }
    : { version: record.version, ...readStoredPolicy(record.document) };
