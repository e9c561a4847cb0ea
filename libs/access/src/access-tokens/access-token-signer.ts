import { type Clock } from '@svc/kernel';
import { type CryptoKey, importJWK, type JWTPayload, SignJWT } from 'jose';
import { type AccessTokenClaims } from '../rules/oauth/access-token-claims';
import { SIGNING_ALGORITHM, type SigningKeySource } from './signing-key';

/** The `typ` of an access token (RFC 9068 section 2.1), so that no other JWT is accepted as one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** How long a signing key is cached. It must be less than the time that a retired key stays published. */
const CACHE_TTL_MS = 60_000;

interface CachedKey {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly cachedAtMs: number;
}

/** Signs claims as a JWT. */
export type SignAccessToken = (claims: AccessTokenClaims) => Promise<string>;

export class AccessTokenSigner {
  private cached: CachedKey | null = null;

  constructor(
    private readonly keys: SigningKeySource,
    private readonly clock: Clock,
  ) {}

  /** @returns the JWT. */
  async sign(claims: AccessTokenClaims): Promise<string> {
    return (await this.withKey())(claims);
  }

  /**
   * Looks the key up in advance, so that a caller that holds a database connection never waits for a second one.
   * @returns a function that signs with that key.
   */
  async withKey(): Promise<SignAccessToken> {
    const { kid, key } = await this.activeKey();
    const header = { alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid };
    return (claims) => new SignJWT({ ...claims } as JWTPayload).setProtectedHeader(header).sign(key);
  }

  private async activeKey(): Promise<CachedKey> {
    const nowMs = this.clock.now();
    if (this.cached !== null && isFresh(this.cached, nowMs)) return this.cached;
    const { kid, privateJwk } = await this.keys.active();
    const key = (await importJWK({ ...privateJwk }, SIGNING_ALGORITHM)) as CryptoKey;
    this.cached = { kid, key, cachedAtMs: nowMs };
    return this.cached;
  }
}

/** A future time means that the clock was set back, so the key's age is unknown. */
const isFresh = ({ cachedAtMs }: CachedKey, nowMs: number): boolean =>
  cachedAtMs <= nowMs && nowMs < cachedAtMs + CACHE_TTL_MS;
