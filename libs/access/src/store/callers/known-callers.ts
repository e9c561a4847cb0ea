import { type Database } from '@svc/database';
import { type Clock } from '@svc/kernel';
import { createSealer, type MasterKey, systemClock } from '@svc/runtime';
import { AccessTokenVerifier } from '../../access-tokens/access-token-verifier';
import { type KnownCallers } from '../../rules/callers/caller-directory';
import { SigningKeyStore } from '../oauth/signing-key-store';
import { type RefusedKey } from '../keys/address-refusal-store';
import { CallerStore } from './caller-store';

interface KnownCallersOptions {
  readonly database: Database;
  /** `{base_url}`: the issuer and the audience of access tokens. */
  readonly baseUrl: string;
  /** Decrypts the signing keys. */
  readonly masterKey: MasterKey;
  /** Called with the id of each key that is authenticated. */
  readonly noteKeyUse?: (keyId: string) => void;
  /** Called with each live key that is shown from an address that it does not allow. */
  readonly noteAddressRefusal?: (key: RefusedKey, address: string) => void;
  readonly clock?: Clock;
}

/** Authenticates callers of a service's API from PostgreSQL. */
export function knownCallers({
  database,
  baseUrl,
  masterKey,
  noteKeyUse,
  noteAddressRefusal,
  clock = systemClock,
}: KnownCallersOptions): KnownCallers {
  const keys = new SigningKeyStore(database, createSealer(masterKey));
  return {
    directory: new CallerStore(database, clock, noteKeyUse, noteAddressRefusal),
    accessTokens: new AccessTokenVerifier({ keys, clock, issuer: baseUrl, audience: baseUrl }),
  };
}
