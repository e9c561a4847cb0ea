import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { presentTimeOrNull, unknownResource, type Caller } from '@svc/api';
import {
  API_KEY_ENTROPY_BYTES,
  apiKeyHash,
  formatApiKeySecret,
  projectKeyPermissions,
  visiblePrefix,
  type Permission,
} from '@svc/identity';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import {
  ApiKeyStore,
  changedFields,
  initialFields,
  Mutations,
  ProjectStore,
  type ApiKeyDetails,
  type ApiKeyFilter,
  type Transaction,
} from '@svc/persistence';
import { type apiKeyChange, type newApiKey } from './key-schema';

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
    private readonly mutations: Mutations,
  ) {}

  list(
    { organizationId, projectId }: Caller,
    page: Page,
    filter: ApiKeyFilter,
  ): Promise<Slice<ApiKeyDetails>> {
    return this.store.list(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<ApiKeyDetails> {
    const found = await this.store.find(organizationId, id, projectId);
    if (found === null) throw unknownResource();
    return found;
  }

  /**
   * @throws GatewayError `permissionDenied` for a scope that the caller lacks, `invalidRequest` for a project that does
   * not exist or is not active, a scope that no project's key can have, or an expiry that is not in the future.
   */
  create(caller: Caller, { name, scopes, ...body }: z.output<typeof newApiKey>): Promise<MintedApiKey> {
    const { organizationId, actor } = caller;
    const projectId = body.project_id ?? caller.projectId;
    const expiresAt = body.expires_at === null ? null : new Date(body.expires_at);
    refuseScopesBeyond(caller.permissions, scopes);
    if (projectId !== null) refuseScopesOfOrganization(scopes);
    return this.mutations.run(caller, async ({ tx, newId, at, audit, announce }) => {
      if (projectId !== null) await this.requireProject(tx, caller, projectId);
      if (expiresAt !== null && expiresAt <= at) {
        throw refused('expires_at', 'expires_at: must be in the future.');
      }
      const secret = formatApiKeySecret(randomBytes(API_KEY_ENTROPY_BYTES));
      const record = await this.store.create(tx, {
        id: newId('apiKey'),
        organizationId,
        projectId,
        name,
        prefix: visiblePrefix(secret),
        secretSha256: apiKeyHash(secret),
        scopes,
        expiresAt,
        rateLimitRpm: body.rate_limit_rpm,
        rateLimitTpm: body.rate_limit_tpm,
        createdBy: actor.id,
      });
      const { id, prefix } = record;
      const expires_at = presentTimeOrNull(expiresAt);
      await audit(
        'api_key.create',
        id,
        initialFields({ ...audited(record), prefix, scopes, project_id: projectId, expires_at }),
      );
      await announce('api_key.created', { api_key_id: id, name, prefix, project_id: projectId, scopes });
      return { secret, record };
    });
  }

  /** @throws GatewayError `notFound`; `conflict` for a revoked key. */
  change(caller: Caller, id: string, body: z.output<typeof apiKeyChange>): Promise<ApiKeyDetails> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.lock(tx, caller, id);
      const changes = changedFields(audited(before), body);
      if (Object.keys(changes).length === 0) return before;
      if (before.state === 'revoked') {
        throw new GatewayError('conflict', 'A revoked key cannot be changed.');
      }
      await audit('api_key.update', id, changes);
      const { name, rate_limit_rpm: rateLimitRpm, rate_limit_tpm: rateLimitTpm } = body;
      return this.store.change(tx, id, { name, rateLimitRpm, rateLimitTpm });
    });
  }

  /**
   * Revokes for good. A key that is already revoked stays as it is.
   * @throws GatewayError `notFound`.
   */
  revoke(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, at, audit, announce }) => {
      const { state, name, prefix, projectId } = await this.lock(tx, caller, id);
      if (state === 'revoked') return;
      await this.store.revoke(tx, id, at);
      await audit('api_key.revoke', id, changedFields({ state }, { state: 'revoked' }));
      await announce('api_key.revoked', { api_key_id: id, name, prefix, project_id: projectId });
    });
  }

  private async lock(
    tx: Transaction,
    { organizationId, projectId }: Caller,
    id: string,
  ): Promise<ApiKeyDetails> {
    const found = await this.store.lock(tx, organizationId, id, projectId);
    if (found === null) throw unknownResource();
    return found;
  }

  /** Locks the project, so that it is not archived before the key exists. */
  private async requireProject(tx: Transaction, caller: Caller, projectId: string): Promise<void> {
    const isVisible = caller.projectId === null || caller.projectId === projectId;
    const project = isVisible ? await this.projects.lock(tx, caller.organizationId, projectId) : null;
    if (project === null) throw refused('project_id', 'There is no such project.');
    if (project.state !== 'active') throw refused('project_id', 'This project is archived.');
  }
}

function refuseScopesBeyond(held: ReadonlySet<Permission>, scopes: readonly Permission[]): void {
  const beyond = scopes.find((scope) => !held.has(scope));
  if (beyond === undefined) return;
  throw new GatewayError('permissionDenied', `You cannot give a key the permission ${beyond}: you lack it.`, {
    param: 'scopes',
  });
}

function refuseScopesOfOrganization(scopes: readonly Permission[]): void {
  const at = scopes.findIndex((scope) => !projectKeyPermissions.has(scope));
  if (at < 0) return;
  throw refused(
    `scopes[${String(at)}]`,
    `A key of one project cannot have the permission ${scopes[at] ?? ''}.`,
  );
}

const refused = (param: string, message: string): GatewayError =>
  new GatewayError('invalidRequest', message, { param });

const audited = (record: ApiKeyDetails) => ({
  name: record.name,
  rate_limit_rpm: record.rateLimitRpm,
  rate_limit_tpm: record.rateLimitTpm,
});
