import { type Database } from '@svc/database';
import { createSealer, type MasterKey, systemClock } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { AccessTokenVerifier } from '../access-tokens/access-token-verifier';
import { type KnownCallers } from '../rules/callers/caller-directory';
import { KeyUseRecorder } from '../store/keys/key-use-recorder';
import { openAddressRefusals } from './open-address-refusals';
import { SigningKeyStore } from '../store/oauth/signing-key-store';
import { CallerStore } from '../store/callers/caller-store';

interface KnownCallersOptions {
  readonly database: Database;
  /** `{base_url}`: the issuer and the audience of access tokens. */
  readonly baseUrl: string;
  /** Decrypts the signing keys. */
  readonly masterKey: MasterKey;
  readonly logger: Logger;
  readonly metrics: Registry;
}

interface OpenKnownCallers extends KnownCallers {
  /** Writes what was noted of keys a last time. */
  stop(): Promise<void>;
}

/** Authenticates callers of a service's API from PostgreSQL. It notes when keys are used, and where they are refused. */
export function openKnownCallers(options: KnownCallersOptions): OpenKnownCallers {
  const { database, baseUrl, masterKey } = options;
  const signingKeys = new SigningKeyStore(database, createSealer(masterKey));
  const keyUses = new KeyUseRecorder(options);
  const refusals = openAddressRefusals(options);
  return {
    directory: new CallerStore(database, systemClock, keyUses.note, refusals.note),
    accessTokens: new AccessTokenVerifier({
      keys: signingKeys,
      clock: systemClock,
      issuer: baseUrl,
      audience: baseUrl,
    }),
    stop: async () => {
      await Promise.all([keyUses.stop(), refusals.stop()]);
    },
  };
}
