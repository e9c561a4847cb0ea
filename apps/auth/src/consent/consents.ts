import { randomBytes } from 'node:crypto';
import {
  formatSecret,
  lifetimesMs,
  needsConsent,
  SECRET_ENTROPY_BYTES,
  secretHash,
  type AuthorizationRequest,
  type Scope,
} from '@svc/access';
import {
  type AuthorizationCodeStore,
  type GrantRecord,
  type GrantStore,
  type OauthAppRecord,
} from '@svc/access/store';
import { type Clock, type NewId } from '@svc/kernel';
import { initialFields, type AuditLog, type Transaction, type UnitOfWork } from '@svc/database';

interface ConsentsOptions {
  readonly unitOfWork: UnitOfWork;
  readonly grants: GrantStore;
  readonly codes: AuthorizationCodeStore;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** A request that passed its checks: the app may get a code for it. */
export type Asked = Extract<AuthorizationRequest, { kind: 'ask' }>;

interface Consenting {
  readonly app: OauthAppRecord;
  readonly asked: Asked;
  readonly userId: string;
  readonly organizationId: string;
  readonly consented: readonly Scope[];
  readonly requestId: string;
}

/** Members' consents, and the codes that apps are sent for them. */
export class Consents {
  constructor(private readonly options: ConsentsOptions) {}

  /**
   * The active grant that covers the request, so that the app need not ask again (docs/reference/oauth.md#consent).
   * @param organizationIds those that the member can act in.
   * @returns null also where several organizations have one: only the member knows which is meant.
   */
  async standing(
    app: OauthAppRecord,
    { scopes }: Asked,
    userId: string,
    organizationIds: readonly string[],
  ): Promise<GrantRecord | null> {
    const found = await Promise.all(
      organizationIds.map((organizationId) => this.options.grants.findGrant(userId, organizationId, app.id)),
    );
    const [standing = null, ...others] = found.filter(
      (grant) => grant?.state === 'active' && !needsConsent(app.appType, grant.scopes, scopes),
    );
    return others.length === 0 ? standing : null;
  }

  /** @returns a code; null where the grant has ended or no longer covers the scopes. */
  renew(grantId: string, asked: Asked): Promise<string | null> {
    const { unitOfWork, grants } = this.options;
    return unitOfWork.transaction(async (tx) => {
      const grant = await grants.lockGrant(tx, grantId);
      const covers = asked.scopes.every((scope) => grant?.grantScopes.includes(scope));
      return grant?.grantState === 'active' && covers ? this.newCode(tx, grantId, asked, asked.scopes) : null;
    });
  }

  /** @returns a code; null where the app was revoked meanwhile, or the user is no longer a member. */
  consent({ app, asked, userId, organizationId, consented, requestId }: Consenting): Promise<string | null> {
    const { unitOfWork, grants, auditLog, newId } = this.options;
    const consent = { organizationId, userId, appId: app.id, asked: asked.scopes, consented };
    return unitOfWork.transaction(async (tx) => {
      const grant = await grants.consent(tx, newId('grant'), consent);
      if (grant === null) return null;
      await auditLog.append(tx, {
        organizationId,
        actor: { type: 'user', id: userId },
        action: 'grant.consent',
        targetId: grant.id,
        changes: initialFields({ app_id: app.id, scopes: [...grant.scopes] }),
        requestId,
      });
      return this.newCode(tx, grant.id, asked, consented);
    });
  }

  private async newCode(
    tx: Transaction,
    grantId: string,
    { redirectUri, codeChallenge }: Asked,
    scopes: readonly Scope[],
  ): Promise<string> {
    const code = formatSecret('authorizationCode', randomBytes(SECRET_ENTROPY_BYTES));
    const expiresAt = new Date(this.options.clock.now() + lifetimesMs.authorizationCode);
    const codeSha256 = secretHash(code);
    await this.options.codes.createCode(tx, {
      codeSha256,
      grantId,
      redirectUri,
      codeChallenge,
      scopes,
      expiresAt,
    });
    return code;
  }
}
