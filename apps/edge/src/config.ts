import { z } from 'zod';
import { DEFAULT_PRICES, END_USERS_PER_DAY_DEFAULT } from '@svc/ledger';
import { checkKafkaVariables, kafkaVariables } from '@svc/messaging';
import { baseUrlVariable, serviceVariables } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';

const schema = z
  .object({
    ...serviceVariables(8081),
    SVC_BASE_URL: baseUrlVariable,
    SVC_REDIS_URL: variables.url(['redis', 'rediss']),
    SVC_CATALOG_FILE: variables.files.prefault('config/catalog.yaml'),
    SVC_MASTER_KEY: variables.masterKey,
    SVC_END_USERS_PER_DAY: variables.endUsers.default(END_USERS_PER_DAY_DEFAULT),
    SVC_PRICE_BPS: variables.priceBps.default(DEFAULT_PRICES.priceBps),
    SVC_OWN_CREDENTIAL_BPS: variables.priceBps.default(DEFAULT_PRICES.ownCredentialBps),
    ...kafkaVariables,
    // Without it no call is told to a collector.
    SVC_KAFKA_BROKERS: variables.brokers.optional(),
  })
  .superRefine(checkKafkaVariables);

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
