import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, presentTimeOrNull, recordFields, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  formatApiKeySecret,
  visiblePrefix,
  type Permission,
} from '@svc/access';
import {
  type ApiKeyDetails,
  type ApiKeyFilter,
  ApiKeyStore,
  MemberStore,
  ProjectStore,
} from '@svc/access/store';
import { GatewayError, type JsonValue, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, type Transaction } from '@svc/database';
import { LowerPolicyStore } from '@svc/policy/store';
import { beginPolicy } from '../lower-policies/begin-policy';
import {
  changedExpiry,
  expiryOf,
  ownerOfPlayground,
  refused,
  refuseMemberOfOthers,
  refuseScopesBeyond,
  refuseScopesOfOrganization,
} from './key-rules';
import { auditedKey, KEYS_MAX, type apiKeyChange, type newApiKey } from './key-schema';

export interface MintedApiKey {
  /** The key itself, which is never stored. */
  readonly secret: string;
  readonly record: ApiKeyDetails;
}

/** An organization's API keys. A project's key sees and makes keys of its own project only. */
@Injectable()
export class ApiKeys {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly projects: ProjectStore,
    private readonly policies: LowerPolicyStore,
    private readonly members: MemberStore,
    private readonly mutations: Mutations,
  ) {}

  list(
    { organizationId, projectId }: Caller,
    page: Page,
    filter: ApiKeyFilter,
  ): Promise<Slice<ApiKeyDetails>> {
    return this.store.listApiKeys(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ApiKeyDetails> {
    return known(await this.store.findApiKey(organizationId, id, projectId));
  }

  /**
   * @throws GatewayError `permissionDenied` for a scope that the caller lacks, and for a playground key without a console
   * session, and for another member or none without `budget:write`; `invalidRequest` for a member or project that does not exist or is not active, a key to replace that does not exist, a
   * scope that the key cannot have, or an expiry that it cannot have; `conflict` above the most keys.
   */
  create(
    caller: Caller,
    {
      scopes,
      purpose,
      replaces,
      policy,
      project_id,
      expires_at,
      member_id,
      ...given
    }: z.output<typeof newApiKey>,
  ): Promise<MintedApiKey> {
    const projectId = project_id ?? caller.projectId;
    refuseScopesBeyond(caller.permissions, scopes);
    if (projectId !== null) refuseScopesOfOrganization(scopes);
    const owner = purpose === 'playground' ? ownerOfPlayground(caller, scopes) : null;
    return this.mutations.run(caller, async (mutation) => {
      const { tx, newId, at } = mutation;
      const count = await this.store.lockApiKeyCount(tx, caller.organizationId, at);
      requireRoom(count, KEYS_MAX, 'live API keys', 'revoke one first');
      if (projectId !== null) await this.requireProject(tx, caller, projectId);
      if (owner !== null) await this.revokePlayground(mutation, caller.organizationId, owner);
      const memberId = await this.memberIdOf(tx, caller, member_id);
      const secret = formatApiKeySecret(randomBytes(API_KEY_ENTROPY_BYTES));
      const record = await this.store.createApiKey(tx, {
        id: newId('apiKey'),
        organizationId: caller.organizationId,
        projectId,
        ...recordFields(given),
        prefix: visiblePrefix(secret),
        secretSha256: apiKeyHash(secret),
        scopes,
        purpose,
        expiresAt: expiryOf({ asked: timeOrNull(expires_at), purpose, createdAt: at, at }),
        createdBy: caller.actor.id,
        memberId,
        replaces,
        createdAt: at,
      });
      if (replaces !== null) await this.noteSuccessor(mutation, caller, replaces, record);
      const begun = await beginPolicy(
        mutation,
        caller,
        { record, given: policy },
        { policies: this.policies, keys: this.store },
      );
      await tellOfCreation(mutation, record, scopes, begun?.document ?? null);
      return { secret, record };
    });
  }

  /**
   * @throws GatewayError `notFound`; `conflict` for a revoked key; `permissionDenied` for a later end of a key with a scope
   * that the caller lacks; `invalidRequest` for an expiry that the key cannot have.
   */
  change(caller: Caller, id: string, body: z.output<typeof apiKeyChange>): Promise<ApiKeyDetails> {
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const before = await this.lock(tx, caller, id);
      const { expires_at, ...given } = body;
      const asked = expires_at === undefined ? undefined : timeOrNull(expires_at);
      const expiresAt = asked === undefined ? undefined : changedExpiry(caller, before, asked, at);
      const shown = expiresAt === undefined ? undefined : presentTimeOrNull(expiresAt);
      const changes = changedFields(auditedKey(before), { ...body, expires_at: shown });
      if (Object.keys(changes).length === 0) return before;
      if (before.state === 'revoked') {
        throw new GatewayError('conflict', 'A revoked key cannot be changed.');
      }
      await audit('api_key.update', id, changes, { ...auditedKey(before), state: before.state });
      return this.store.changeApiKey(tx, id, {
        ...recordFields(given),
        ...(expiresAt !== undefined && { expiresAt }),
      });
    });
  }

  /**
   * Revokes for good. A key that is already revoked stays as it is.
   * @throws GatewayError `notFound`.
   */
  revoke(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async (mutation) => {
      const record = await this.lock(mutation.tx, caller, id);
      if (record.state === 'active') await this.revokeLive(mutation, record);
    });
  }

  private async revokePlayground(mutation: Mutation, organizationId: string, userId: string): Promise<void> {
    const former = await this.store.lockPlayground(mutation.tx, organizationId, userId);
    if (former !== null) await this.revokeLive(mutation, former);
  }

  private async revokeLive({ tx, at, audit, announce }: Mutation, record: ApiKeyDetails): Promise<void> {
    const { id, state, name, prefix, projectId } = record;
    await this.store.revokeApiKey(tx, id, at);
    await audit('api_key.revoke', id, changedFields({ state }, { state: 'revoked' }));
    await announce('api_key.revoked', { api_key_id: id, name, prefix, project_id: projectId });
  }

  /** @throws GatewayError `invalidRequest` where the caller sees no such key, or one of the two is a playground key. */
  private async noteSuccessor(
    { tx, audit }: Mutation,
    { organizationId, projectId }: Caller,
    replacedId: string,
    { id, purpose }: ApiKeyDetails,
  ): Promise<void> {
    const replaced = await this.store.lockApiKey(tx, organizationId, replacedId, projectId);
    if (replaced === null) throw refused('replaces', 'There is no such API key.');
    if (purpose === 'playground' || replaced.purpose === 'playground') {
      throw refused('replaces', 'A playground key neither replaces a key nor is replaced.');
    }
    await this.store.replaceApiKey(tx, replacedId, id);
    await audit(
      'api_key.update',
      replacedId,
      changedFields({ replaced_by: replaced.replacedBy }, { replaced_by: id }),
      { ...auditedKey(replaced), state: replaced.state, replaced_by: replaced.replacedBy },
    );
  }

  /** Members are never deleted, so one that was found stays. */
  private async memberIdOf(
    tx: Transaction,
    caller: Caller,
    asked: string | null | undefined,
  ): Promise<string | null> {
    const own = await this.store.memberOfMaker(tx, caller.organizationId, caller.userId ?? caller.actor.id);
    if (asked === undefined || asked === own) return own;
    refuseMemberOfOthers(caller.permissions);
    if (asked !== null && (await this.members.findMember(caller.organizationId, asked)) === null) {
      throw refused('member_id', 'There is no such member.');
    }
    return asked;
  }

  private async lock(
    tx: Transaction,
    { organizationId, projectId }: Caller,
    id: string,
  ): Promise<ApiKeyDetails> {
    return known(await this.store.lockApiKey(tx, organizationId, id, projectId));
  }

  /** Locks the project, so that it is not archived before the key exists. */
  private async requireProject(tx: Transaction, caller: Caller, projectId: string): Promise<void> {
    const isVisible = caller.projectId === null || caller.projectId === projectId;
    const project = isVisible ? await this.projects.lockProject(tx, caller.organizationId, projectId) : null;
    if (project === null) throw refused('project_id', 'There is no such project.');
    if (project.state !== 'active') throw refused('project_id', 'This project is archived.');
  }
}

async function tellOfCreation(
  { audit, announce }: Mutation,
  record: ApiKeyDetails,
  scopes: readonly Permission[],
  policy: JsonValue,
): Promise<void> {
  const { id, name, prefix, projectId, purpose, replaces, memberId } = record;
  const shown = { prefix, scopes, project_id: projectId, purpose, replaces, member_id: memberId };
  const fields = { ...auditedKey(record), ...shown };
  await audit('api_key.create', id, initialFields({ ...fields, ...(policy !== null && { policy }) }));
  await announce('api_key.created', { api_key_id: id, name, prefix, project_id: projectId, scopes });
}

const timeOrNull = (text: string | null): Date | null => (text === null ? null : new Date(text));
