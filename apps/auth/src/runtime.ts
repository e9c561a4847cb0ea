import { type FastifyInstance } from 'fastify';
import { type Clock } from '@svc/kernel';
import { type Database } from '@svc/persistence';
import { type Logger, type MasterKey, type Registry } from '@svc/platform';

export interface AuthRuntime {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Opens what is stored encrypted (contract.md section 1). */
  readonly masterKey: MasterKey;
  /** `{base_url}`: its scheme and origin are those that browsers see. */
  readonly baseUrl: string;
  /** The machine's without one. */
  readonly clock?: Clock;
}

export const LOGGER = Symbol('logger');
export const BASE_URL = Symbol('base URL');
