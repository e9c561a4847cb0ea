import { type Clock, GatewayError } from '@svc/kernel';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { type AccessTokenClaims } from '../rules/oauth/access-token-claims';
import { ACCESS_TOKEN_TYPE } from './access-token-signer';
import { KnownKeys } from './known-keys';
import { type PublishedKeySource, SIGNING_ALGORITHM } from './signing-key';

interface AccessTokenVerifierOptions {
  readonly keys: PublishedKeySource;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
}

const REQUIRED_CLAIMS = ['jti', 'sub', 'organization_id', 'grant_id', 'azp', 'scp', 'role', 'iat', 'exp'];

/**
 * Verifies the signature and the expiry of access tokens. Revocation is checked elsewhere by the `jti`, never by the
 * token's text, because the same signature has several encodings.
 */
export class AccessTokenVerifier {
  private readonly keys: KnownKeys;

  constructor(private readonly options: AccessTokenVerifierOptions) {
    this.keys = new KnownKeys(options.keys, options.clock);
  }

  /** @throws GatewayError `invalidToken` with the same message for every fault of the token. */
  async verify(jwt: string): Promise<AccessTokenClaims> {
    const key = await this.keys.find(keyIdOf(jwt));
    if (key === null) throw invalid();
    const { issuer, audience, clock } = this.options;
    try {
      const { payload } = await jwtVerify<AccessTokenClaims>(jwt, key, {
        algorithms: [SIGNING_ALGORITHM],
        typ: ACCESS_TOKEN_TYPE,
        issuer,
        audience,
        requiredClaims: REQUIRED_CLAIMS,
        currentDate: new Date(clock.now()),
      });
      return payload;
    } catch (cause) {
      throw invalid(cause);
    }
  }
}

/** The `kid` of the unverified header, used only to look the key up. */
function keyIdOf(jwt: string): string {
  try {
    const { kid } = decodeProtectedHeader(jwt);
    if (typeof kid === 'string') return kid;
  } catch (cause) {
    throw invalid(cause);
  }
  throw invalid();
}

const invalid = (cause?: unknown): GatewayError =>
  new GatewayError('invalidToken', 'The access token is expired or not valid.', { cause });
