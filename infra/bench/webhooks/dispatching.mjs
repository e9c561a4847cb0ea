// The built dispatcher, in this process, and endpoints for it.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../dist/', import.meta.url));
require('reflect-metadata');
const { NestFactory } = require('@nestjs/core');
const { DispatcherModule } = require('./apps/dispatcher/src/index.js');
const { recordEvent } = require('./libs/events/src/index.js');
const { openDatabase } = require('./libs/database/src/index.js');
const { signingSecretContext } = require('./libs/deliveries/src/store/index.js');
const { createLogger, createMetrics } = require('./libs/runtime/src/observability/index.js');
const { createSealer, systemClock, systemIds } = require('./libs/runtime/src/index.js');

export const SECRET = `whsec_${'ab'.repeat(32)}`;
const masterKey = Buffer.alloc(32, 7);
const silent = createLogger({ service: 'bench', level: 'error' });

export const open = (databaseUrl) => openDatabase({ url: databaseUrl, poolSize: 10 });

/** Many addresses, because the ports of one run out when every connection is used once. */
export const addressOf = (at) => `127.0.0.${(at % 200) + 1}`;

export function newEvent(organizationId) {
  const policy = { policy_id: systemIds('policy'), version: 1 };
  const data = { ...policy, level: 'organization', project_id: null, api_key_id: null };
  return recordEvent(systemIds('event'), 'policy.updated', organizationId, Date.now(), data);
}

/** @returns the organization's id, and those of its endpoints. */
export async function addEndpoints(database, urls) {
  const organizationId = systemIds('organization');
  const ids = urls.map(() => systemIds('webhookEndpoint'));
  const sealer = createSealer(masterKey);
  await database.pool.query(`INSERT INTO organizations (id, name) VALUES ($1, 'bench')`, [organizationId]);
  await database.pool.query(
    `INSERT INTO webhook_endpoints (id, organization_id, url, event_types, secret_ciphertext, secret_last4)
     SELECT id, $1, url, '{}', secret, 'abab' FROM unnest($2::text[], $3::text[], $4::bytea[]) AS e (id, url, secret)`,
    [organizationId, ids, urls, ids.map((id) => sealer.seal(Buffer.from(SECRET), signingSecretContext(id)))],
  );
  return { organizationId, ids };
}

export const startDispatcher = (database, transport) =>
  NestFactory.createApplicationContext(
    DispatcherModule.register({
      database,
      masterKey,
      transport,
      logger: silent,
      metrics: createMetrics('bench'),
      baseUrl: 'https://bench.example.com',
      clock: systemClock,
      allowPrivate: true,
    }),
    { logger: false },
  );
