import { Injectable } from '@nestjs/common';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { type IfMatch, known, requireVersion, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { changedFields, initialFields } from '@svc/database';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { type DocumentOf, type LowerPolicyLevel, readDocumentOf, readStoredDocument } from '@svc/policy';
import { LowerPolicyStore, type LowerPolicyRecord, type PolicyOwner } from '@svc/policy/store';
import { refuseNarrowedKey } from '../policy/narrowed-keys';

/** The policies of projects and keys, which narrow that of their organization. A version never changes. */
@Injectable()
export class LowerPolicies {
  constructor(
    private readonly store: LowerPolicyStore,
    private readonly projects: ProjectStore,
    private readonly keys: ApiKeyStore,
    private readonly mutations: Mutations,
  ) {}

  /**
   * @returns null for an owner whose policy was never written: it takes nothing away.
   * @throws GatewayError `notFound` for an owner that the caller does not see.
   */
  async current(caller: Caller, level: LowerPolicyLevel, ownerId: string): Promise<LowerPolicyRecord | null> {
    return this.store.newest(await this.ownerOf(caller, level, ownerId));
  }

  /** @throws GatewayError `notFound`. */
  async list(
    caller: Caller,
    level: LowerPolicyLevel,
    ownerId: string,
    page: Page,
  ): Promise<Slice<LowerPolicyRecord>> {
    return this.store.listLowerPolicyVersions(await this.ownerOf(caller, level, ownerId), page);
  }

  /** @throws GatewayError `notFound`. */
  async get(
    caller: Caller,
    level: LowerPolicyLevel,
    ownerId: string,
    id: string,
  ): Promise<LowerPolicyRecord> {
    return known(await this.store.findLowerPolicyVersion(await this.ownerOf(caller, level, ownerId), id));
  }

  /**
   * @param seen the versions that the caller means to replace; null for any.
   * @throws GatewayError `notFound`; `permissionDenied` for a key that has a policy; `conflict` for an archived project and a
   * revoked key; `preconditionFailed`.
   */
  replace<Level extends LowerPolicyLevel>(
    caller: Caller,
    { level, ownerId }: { readonly level: Level; readonly ownerId: string },
    document: DocumentOf[Level],
    seen: IfMatch,
  ): Promise<LowerPolicyRecord> {
    const owner = { organizationId: caller.organizationId, level, ownerId };
    return this.mutations.run(caller, async (mutation) => {
      await this.lockOwner(mutation, caller, owner);
      await refuseNarrowedKey(mutation.tx, caller, this.store);
      const newest = await this.store.newestIn(mutation.tx, owner);
      const before = {
        version: newest?.version ?? 0,
        ...(newest === null ? readDocumentOf(level, {}) : readStoredDocument(level, newest.document)),
      };
      requireVersion(seen, before.version);
      const version = before.version + 1;
      const id = mutation.newId('policy');
      const written = await this.store.appendLowerPolicyVersion(mutation.tx, {
        ...owner,
        id,
        version,
        document,
        createdBy: caller.userId,
      });
      if ('allowed_ips' in document) {
        await this.keys.setAllowedIps(mutation.tx, ownerId, document.allowed_ips);
      }
      const changes = {
        ...initialFields({ level, ...idsOf(owner) }),
        ...changedFields(before, { version, ...document }),
      };
      await mutation.audit('policy.update', id, changes, { ...before, level, owner_id: ownerId });
      await announceLower(mutation, written);
      return written;
    });
  }

  /** @throws GatewayError `notFound`. */
  private async ownerOf(
    { organizationId, projectId }: Caller,
    level: LowerPolicyLevel,
    ownerId: string,
  ): Promise<PolicyOwner> {
    known(
      level === 'key'
        ? await this.keys.findApiKey(organizationId, ownerId, projectId)
        : projectId === null || projectId === ownerId
          ? await this.projects.findProject(organizationId, ownerId)
          : null,
    );
    return { organizationId, level, ownerId };
  }

  /** Locks the project or the key, so that versions have neither gaps nor duplicates. @throws GatewayError `notFound`, `conflict` */
  private async lockOwner({ tx }: Mutation, { projectId }: Caller, owner: PolicyOwner): Promise<void> {
    const { organizationId, level, ownerId } = owner;
    if (level === 'key') {
      const key = known(await this.keys.lockApiKey(tx, organizationId, ownerId, projectId));
      if (key.state === 'revoked') throw unwritable('A revoked key’s policy cannot be written.');
      return;
    }
    const project = known(await this.projects.lockProject(tx, organizationId, ownerId));
    if (project.state === 'archived') throw unwritable('An archived project’s policy cannot be written.');
  }
}

const unwritable = (message: string): GatewayError => new GatewayError('conflict', message);

/** The ids of a policy's owner, as events and audit entries have them. */
export const idsOf = ({ level, ownerId }: Pick<PolicyOwner, 'level' | 'ownerId'>) => ({
  project_id: level === 'project' ? ownerId : null,
  api_key_id: level === 'key' ? ownerId : null,
});

export const announceLower = ({ announce }: Mutation, written: LowerPolicyRecord): Promise<void> =>
  announce('policy.updated', {
    policy_id: written.id,
    version: written.version,
    level: written.level,
    ...idsOf(written),
  });
