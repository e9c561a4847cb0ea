import { Inject, Injectable } from '@nestjs/common';
import { known, requireVersion, type Caller, type IfMatch } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { type Catalog } from '@svc/catalog';
import {
  DEFAULT_POLICY_DOCUMENT,
  readStoredPolicy,
  rolloutChanges,
  storedDocument,
  type PolicyDocument,
} from '@svc/policy';
import { type NewId, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, type Transaction } from '@svc/database';
import { LowerPolicyStore, PolicyStore, RolloutStore, type PolicyVersionRecord } from '@svc/policy/store';
import { CATALOG } from '../runtime';
import { refuseNarrowedKey, refuseProject } from './narrowed-keys';

/** An organization's routing and data policy. A version never changes: each change makes the next version. */
@Injectable()
export class Policies {
  constructor(
    private readonly store: PolicyStore,
    private readonly lower: LowerPolicyStore,
    private readonly rollouts: RolloutStore,
    private readonly mutations: Mutations,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  /** @returns null for an organization that has never written one: the default applies. */
  async current({ organizationId, projectId }: Caller): Promise<PolicyVersionRecord | null> {
    refuseProject(projectId);
    return this.store.newest(organizationId);
  }

  async list({ organizationId, projectId }: Caller, page: Page): Promise<Slice<PolicyVersionRecord>> {
    refuseProject(projectId);
    return this.store.listPolicyVersions(organizationId, page);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<PolicyVersionRecord> {
    refuseProject(projectId);
    return known(await this.store.findPolicyVersion(organizationId, id));
  }

  /**
   * @param seen the versions that the caller means to replace; null for any.
   * @throws GatewayError `preconditionFailed`; `permissionDenied` for a key that has a policy; `invalidRequest` for rollouts that
   * cannot be.
   */
  replace(caller: Caller, document: PolicyDocument, seen: IfMatch): Promise<PolicyVersionRecord> {
    const { organizationId, userId } = caller;
    return this.mutations.run(caller, async ({ tx, newId, audit, announce }) => {
      await refuseNarrowedKey(tx, caller, this.lower);
      const before = audited(await this.store.lockNewest(tx, organizationId));
      requireVersion(seen, before.version);
      await this.changeRollouts(tx, organizationId, document, newId);
      const version = before.version + 1;
      const id = newId('policy');
      const written = await this.store.appendPolicyVersion(tx, {
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

  /** Rollouts follow the version that names them, in its transaction. */
  private async changeRollouts(
    tx: Transaction,
    organizationId: string,
    { rollouts }: PolicyDocument,
    newId: NewId,
  ): Promise<void> {
    const names = rollouts.map(({ name }) => name);
    const known = await this.rollouts.lockKnown(tx, organizationId, names);
    const changes = rolloutChanges(rollouts, known, this.catalog());
    await this.rollouts.applyRolloutChanges(tx, organizationId, changes, newId);
  }
}

const audited = (record: PolicyVersionRecord | null) =>
  record === null
    ? { version: 0, ...DEFAULT_POLICY_DOCUMENT }
    : { version: record.version, ...readStoredPolicy(record.document) };
