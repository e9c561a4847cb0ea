import { type Database } from '@svc/database';
import { addressListOf, type Clock, GatewayError, isAddressListed } from '@svc/kernel';
import { systemClock } from '@svc/runtime';
import {
  type AccessFacts,
  type CallerDirectory,
  type KeyFacts,
  type SessionFacts,
} from '../../rules/callers/caller-directory';
import { judgeAccess } from '../../rules/oauth/judge-access';
import { type RefusedKey } from '../keys/address-refusal-store';
import { TokenStore } from '../oauth/token-store';
import { SessionStore } from '../sessions/session-store';

interface CallingKey extends KeyFacts {
  /** Null: all addresses. */
  readonly allowedIps: readonly string[] | null;
}

/**
 * Looks up callers of the management API, one query each, without a cache
 * (docs/reference/authentication-and-permissions.md#roles).
 */
export class CallerStore implements CallerDirectory {
  private readonly sessions: SessionStore;
  private readonly tokens: TokenStore;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
    /** Called with the id of each key that is authenticated. */
    private readonly noteKeyUse: (keyId: string) => void = () => undefined,
    /** Called with each live key that is shown from an address that it does not allow. */
    private readonly noteAddressRefusal: (key: RefusedKey, address: string) => void = () => undefined,
  ) {
    this.sessions = new SessionStore(database);
    this.tokens = new TokenStore(database);
  }

  async apiKey(sha256: Buffer, readAddress: () => string): Promise<KeyFacts | null> {
    const { rows } = await this.database.pool.query<CallingKey>({
      name: 'find_calling_key',
      text: `SELECT k.id, k.organization_id AS "organizationId", k.project_id AS "projectId", k.scopes,
               k.allowed_ips AS "allowedIps", k.state = 'active' AND o.state = 'active'
                 AND (k.expires_at IS NULL OR k.expires_at > $2) AS live
             FROM api_keys k JOIN organizations o ON o.id = k.organization_id
             WHERE k.secret_sha256 = $1`,
      values: [sha256, new Date(this.clock.now())],
    });
    const [key] = rows;
    if (!key?.live) return key ?? null;
    if (key.allowedIps !== null) {
      const address = readAddress();
      if (!isAddressListed(addressListOf(key.allowedIps), address)) {
        this.noteAddressRefusal(key, address);
        return { ...key, live: false };
      }
    }
    this.noteKeyUse(key.id);
    return key;
  }

  session(sha256: Buffer): Promise<SessionFacts | null> {
    return this.sessions.findSession(sha256, this.clock.now());
  }

  async accessToken(jti: string): Promise<AccessFacts> {
    const standing = await this.tokens.liveness(jti);
    const decision = judgeAccess(standing, this.clock.now());
    if (decision.kind === 'revoked') {
      throw new GatewayError('tokenRevoked', 'The access token is revoked.');
    }
    if (standing === null || decision.kind === 'expired') {
      throw new GatewayError('invalidToken', 'The access token is expired or not valid.');
    }
    const { userId, appId, organizationId } = standing;
    return { userId, appId, organizationId, scopes: decision.scopes, role: decision.liveRole };
  }
}
