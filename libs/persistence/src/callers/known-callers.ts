import { type Clock } from '@svc/kernel';
import { createSealer, type MasterKey, systemClock } from '@svc/platform';
import { AccessTokenVerifier } from '@svc/platform/access-tokens';
import { type ApiRuntime } from '@svc/platform/api';
import { type Database } from '../database/database';
import { SigningKeyStore } from '../oauth/signing-key-store';
import { CallerStore } from './caller-store';

export interface KnownCallersOptions {
  readonly database: Database;
  /** `{base_url}`: the issuer of access tokens, and who they are for. */
  readonly baseUrl: string;
  /** Opens the signing keys. */
  readonly masterKey: MasterKey;
  /** Is told the id of each key that is let in. */
  readonly noteKeyUse?: (keyId: string) => void;
  readonly clock?: Clock;
}

/** How a service's API knows its callers: by what PostgreSQL says of them. */
export function knownCallers({
  database,
  baseUrl,
  masterKey,
  noteKeyUse,
  clock = systemClock,
}: KnownCallersOptions): Pick<ApiRuntime, 'directory' | 'accessTokens'> {
  const keys = new SigningKeyStore(database, createSealer(masterKey));
  return {
    directory: new CallerStore(database, clock, noteKeyUse),
    accessTokens: new AccessTokenVerifier({ keys, clock, issuer: baseUrl, audience: baseUrl }),
  };
}
