import { AccessTokenVerifier } from '@svc/access/access-tokens';
import {
  AddressRefusalStore,
  ApiKeyStore,
  CallerStore,
  KeyUseRecorder,
  SigningKeyStore,
} from '@svc/access/store';
import { AddressRefusals } from '@svc/access/work';
import { type Database } from '@svc/database';
import { clientAddressReader } from '@svc/http';
import { type Sealer, systemClock as clock, systemIds } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { type RefusalRecorder } from '@svc/usage/work';
import { type FastifyInstance } from 'fastify';
import { Authenticator } from './authenticate';
import { refuseAccessTokens } from './refuse-access-token';

interface OpenAuthenticatorOptions {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** The issuer of access tokens. */
  readonly baseUrl: string;
  readonly sealer: Sealer;
  readonly refusals: RefusalRecorder;
}

/** The authenticator over PostgreSQL, with what notes the uses and the refusals of keys. */
export function openAuthenticator(options: OpenAuthenticatorOptions) {
  const { server, database, logger, metrics, baseUrl, sealer, refusals } = options;
  const keyStore = new ApiKeyStore(database);
  const keyUses = new KeyUseRecorder({ database, logger });
  const store = new AddressRefusalStore(database, systemIds);
  const addressRefusals = new AddressRefusals({ store, refusals, clock, logger, metrics });
  const signingKeys = new SigningKeyStore(database, sealer);
  const accessTokens = new AccessTokenVerifier({
    keys: signingKeys,
    clock,
    issuer: baseUrl,
    audience: baseUrl,
  });
  const authenticator = new Authenticator(
    (hash) => keyStore.findBySha256(hash),
    clock,
    clientAddressReader(server),
    {
      noteKeyUse: keyUses.note,
      refuseAccessToken: refuseAccessTokens(accessTokens, new CallerStore(database)),
      noteRefusal: (key, refusal) => {
        refusals.note(key, null, refusal);
      },
      noteAddressRefusal: addressRefusals.note,
    },
  );
  return {
    authenticator,
    /** Writes what was noted of keys a last time. */
    stopNoting: async (): Promise<void> => {
      await Promise.all([keyUses.stop(), addressRefusals.stop()]);
    },
  };
}
