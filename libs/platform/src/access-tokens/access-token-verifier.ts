import { decodeProtectedHeader, jwtVerify } from 'jose';
import { type AccessTokenClaims } from '@svc/identity';
import { type Clock, GatewayError } from '@svc/kernel';
import { ACCESS_TOKEN_TYPE } from './access-token-signer';
import { KnownKeys } from './known-keys';
import { type PublishedKeySource, SIGNING_ALGORITHM } from './signing-key';

export interface AccessTokenVerifierOptions {
  readonly keys: PublishedKeySource;
  readonly clock: Clock;
  readonly issuer: string;
  readonly audience: string;
}

const REQUIRED_CLAIMS = ['jti', 'sub', 'organization_id', 'grant_id', 'azp', 'scp', 'role', 'iat', 'exp'];

/**
 * Tells whether we made an access token and whether it has expired. Whether it still holds is another question, asked
 * by its `jti` and never by its text: the same signature can be spelt in several ways.
 */
export class AccessTokenVerifier {
  private readonly keys: KnownKeys;

  constructor(private readonly options: AccessTokenVerifierOptions) {
    this.keys = new KnownKeys(options.keys, options.clock);
  }

  /** @throws GatewayError `invalidToken` for whatever is wrong with the token, worded alike. */
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

/** The header's own word, to look a key up by; nothing else of it is believed. */
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
