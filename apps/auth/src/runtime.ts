import { type FastifyInstance } from 'fastify';
import { type Clock } from '@svc/kernel';
import { type Database } from '@svc/database';
import { type Mailer } from '@svc/http';
import { type MasterKey } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';

export interface AuthRuntime {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Decrypts stored secrets (docs/reference/authentication-and-permissions.md#secrets). */
  readonly masterKey: MasterKey;
  /** `{base_url}`: its scheme and origin are those that browsers see. */
  readonly baseUrl: string;
  /** Without one, no mail is sent. */
  readonly mailer?: Mailer;
  /** The machine's clock by default. */
  readonly clock?: Clock;
}

export const LOGGER = Symbol('logger');
export const BASE_URL = Symbol('base URL');
/** True where there is a mailer. */
export const SENDS_MAIL = Symbol('sends mail');
