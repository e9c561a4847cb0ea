import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type Database, type Transaction, UnitOfWork } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { lifetimesMs } from '../rules/lifetimes';
import { type AccessDecision, judgeAccess } from '../rules/oauth/judge-access';
import { type CodeDecision, judgeCode } from '../rules/oauth/judge-code';
import { judgeRefresh, type RefreshDecision } from '../rules/oauth/judge-refresh';
import { type Role } from '../rules/permissions/permissions';
import { type Scope, scopes } from '../rules/scopes/scopes';
import { formatSecret, SECRET_ENTROPY_BYTES, secretHash } from '../rules/secrets/secret';
import { AuthorizationCodeStore } from '../store/oauth/authorization-code-store';
import { GrantStore, type GrantRecord } from '../store/oauth/grant-store';
import { OauthAppStore, type OauthAppRecord } from '../store/oauth/oauth-app-store';
import { TokenStore } from '../store/oauth/token-store';

export const REDIRECT_URI = 'https://app.example/cb';
const CODE_VERIFIER = 'v'.repeat(43);

export interface IssuedPair {
  readonly jti: string;
  readonly refreshToken: string;
  readonly scopes: readonly string[];
}

/** The committed result of a token request. */
export interface TokenAnswer<Decision> {
  readonly decision: Decision;
  readonly issued: IssuedPair | null;
}

/** A member, an app and a consent. Makes token requests with the stores and rules of the token route. */
export class OauthWorld {
  readonly apps: OauthAppStore;
  readonly grants: GrantStore;
  readonly codes = new AuthorizationCodeStore();
  readonly tokens: TokenStore;
  private readonly unitOfWork: UnitOfWork;
  /** The time of the requests. */
  nowMs = Date.parse('2026-11-21T16:00:00Z');

  constructor(
    readonly database: Database,
    readonly newId: NewId = systemIds,
  ) {
    this.apps = new OauthAppStore(database);
    this.grants = new GrantStore(database);
    this.tokens = new TokenStore(database);
    this.unitOfWork = new UnitOfWork(database);
  }

  run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.transaction(work);
  }

  get now(): Date {
    return new Date(this.nowMs);
  }

  async newOrganization(): Promise<string> {
    const id = this.newId('organization');
    await this.database.prisma.organization.create({ data: { id, name: 'Acme' } });
    return id;
  }

  async newMember(organizationId: string, role: Role = 'owner'): Promise<string> {
    const userId = this.newId('user');
    const { prisma } = this.database;
    await prisma.user.create({ data: { id: userId, email: `${userId}@example.com` } });
    await prisma.member.create({ data: { id: this.newId('member'), organizationId, userId, role } });
    return userId;
  }

  newApp(organizationId: string): Promise<OauthAppRecord> {
    return this.run((tx) =>
      this.apps.createApp(tx, {
        id: this.newId('oauthApp'),
        organizationId,
        name: 'App',
        clientId: newSecret('clientId'),
        clientSecretSha256: secretHash('secret'),
        redirectUris: [REDIRECT_URI],
        scopes,
        homepage: 'https://app.example',
      }),
    );
  }

  /** A consent to every scope that is asked for. */
  consent(
    organizationId: string,
    userId: string,
    appId: string,
    asked: readonly Scope[] = scopes,
  ): Promise<GrantRecord | null> {
    const consent = { organizationId, userId, appId, asked, consented: asked };
    return this.run((tx) => this.grants.consent(tx, this.newId('grant'), consent));
  }

  /** A consent in an organization of its own. */
  async newGrant(): Promise<GrantRecord> {
    const organizationId = await this.newOrganization();
    const [userId, app] = [await this.newMember(organizationId), await this.newApp(organizationId)];
    const grant = await this.consent(organizationId, userId, app.id);
    if (grant === null) throw new Error('the consent was refused');
    return grant;
  }

  async newCode(grant: GrantRecord): Promise<string> {
    const code = newSecret('authorizationCode');
    await this.run((tx) =>
      this.codes.createCode(tx, {
        codeSha256: secretHash(code),
        grantId: grant.id,
        redirectUri: REDIRECT_URI,
        codeChallenge: createHash('sha256').update(CODE_VERIFIER).digest('base64url'),
        scopes: grant.scopes,
        expiresAt: new Date(this.nowMs + lifetimesMs.authorizationCode),
      }),
    );
    return code;
  }

  exchange(code: string, appId: string, codeVerifier = CODE_VERIFIER): Promise<TokenAnswer<CodeDecision>> {
    const codeSha256 = secretHash(code);
    return this.run(async (tx) => {
      const facts = await this.codes.lockCode(tx, codeSha256);
      const decision = judgeCode(facts, { appId, redirectUri: REDIRECT_URI, codeVerifier }, this.nowMs);
      if (facts === null) return { decision, issued: null };
      if (decision.kind === 'refuse-and-revoke') {
        await this.tokens.revokeOfCode(tx, facts.grantId, codeSha256, this.now);
      }
      if (decision.kind === 'issue' || (decision.kind === 'refuse' && decision.consume)) {
        if (!(await this.codes.consume(tx, codeSha256, this.now))) throw new Error('consumed twice');
      }
      if (decision.kind !== 'issue') return { decision, issued: null };
      const issued = await this.issue(tx, facts.grantId, codeSha256, decision.scopes, decision.scopes);
      return { decision, issued };
    });
  }

  refresh(
    refreshToken: string,
    appId: string,
    scope: string | null = null,
  ): Promise<TokenAnswer<RefreshDecision>> {
    const sha256 = secretHash(refreshToken);
    return this.run(async (tx) => {
      const facts = await this.tokens.lockRefreshToken(tx, sha256);
      const decision = judgeRefresh(facts, { appId, scope }, this.nowMs);
      if (facts === null) return { decision, issued: null };
      if (decision.kind === 'refuse-and-revoke') {
        await this.tokens.revokeOfGrant(tx, facts.grantId, this.now);
      }
      if (decision.kind !== 'issue') return { decision, issued: null };
      if (!(await this.tokens.rotate(tx, sha256, this.now))) throw new Error('rotated twice');
      const { scopes: allowed, refreshScopes } = decision;
      return {
        decision,
        issued: await this.issue(tx, facts.grantId, facts.codeSha256, allowed, refreshScopes),
      };
    });
  }

  async access(jti: string): Promise<AccessDecision['kind']> {
    return judgeAccess(await this.tokens.liveness(jti), this.nowMs).kind;
  }

  private async issue(
    tx: Transaction,
    grantId: string,
    codeSha256: Uint8Array,
    allowed: readonly string[],
    refreshScopes: readonly string[],
  ): Promise<IssuedPair> {
    const [jti, refreshToken] = [randomUUID(), newSecret('refreshToken')];
    await this.tokens.issue(
      tx,
      {
        grantId,
        codeSha256,
        accessToken: { jti, scopes: allowed, expiresAt: new Date(this.nowMs + lifetimesMs.accessToken) },
        refreshToken: {
          sha256: secretHash(refreshToken),
          scopes: refreshScopes,
          expiresAt: new Date(this.nowMs + lifetimesMs.refreshToken),
        },
      },
      this.now,
    );
    return { jti, refreshToken, scopes: allowed };
  }
}

const newSecret = (kind: 'clientId' | 'authorizationCode' | 'refreshToken'): string =>
  formatSecret(kind, randomBytes(SECRET_ENTROPY_BYTES));
