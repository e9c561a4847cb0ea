import { type CryptoKey, importJWK, type JWTPayload, SignJWT } from 'jose';
import { type AccessTokenClaims } from '@svc/identity';
import { type Clock } from '@svc/kernel';
import { SIGNING_ALGORITHM, type SigningKeySource } from './signing-key';

/** What an access token is (RFC 9068 section 2.1), so that no other JWT of ours passes for one. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/** How long a key may go on signing after another took over: less than a retired key stays published. */
const KEEP_MS = 60_000;

interface HeldKey {
  readonly kid: string;
  readonly key: CryptoKey;
  readonly heldSinceMs: number;
}

/** Makes the JWT of claims. */
export type SignAccessToken = (claims: AccessTokenClaims) => Promise<string>;

export class AccessTokenSigner {
  private held: HeldKey | null = null;

  constructor(
    private readonly keys: SigningKeySource,
    private readonly clock: Clock,
  ) {}

  /** @returns the JWT. */
  async sign(claims: AccessTokenClaims): Promise<string> {
    return (await this.withKey())(claims);
  }

  /**
   * Looks the key up first, so that whoever holds a database connection while signing never waits for a second one.
   * @returns what signs with that key.
   */
  async withKey(): Promise<SignAccessToken> {
    const { kid, key } = await this.activeKey();
    const header = { alg: SIGNING_ALGORITHM, typ: ACCESS_TOKEN_TYPE, kid };
    return (claims) => new SignJWT({ ...claims } as JWTPayload).setProtectedHeader(header).sign(key);
  }

  private async activeKey(): Promise<HeldKey> {
    const heldSinceMs = this.clock.now();
    if (this.held !== null && heldSinceMs - this.held.heldSinceMs < KEEP_MS) return this.held;
    const { kid, privateJwk } = await this.keys.active();
    const key = (await importJWK({ ...privateJwk }, SIGNING_ALGORITHM)) as CryptoKey;
    this.held = { kid, key, heldSinceMs };
    return this.held;
  }
}
