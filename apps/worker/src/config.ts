import { z } from 'zod';
import { DEFAULT_PRICES } from '@svc/ledger';
import { checkKafkaVariables, kafkaVariables } from '@svc/messaging';
import { baseUrlVariable, serviceVariables } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';
import { checkStorageVariables, storageVariables } from '@svc/storage';
import { checkPaymentVariables, paymentVariables } from '@svc/payments/stripe';

const schema = z
  .object({
    ...serviceVariables(8085),
    ...kafkaVariables,
    ...storageVariables,
    SVC_DATA_DIR: variables.path.default('.svc'),
    SVC_EXPORT_MAX_ROWS: variables.rows.default(10_000_000),
    SVC_EXPORT_RETENTION_DAYS: variables.days.default(7),
    SVC_EXPORT_WORK_PERCENT: variables.percent.default(0.25),
    SVC_MASTER_KEY: variables.masterKey,
    SVC_REQUEST_RETENTION_MONTHS: variables.retentionMonths.optional(),
    SVC_ALERT_TICK_SECONDS: variables.tickSeconds.default(10),
    SVC_ORGANIZATION_METRICS: variables.flag.default(false),
    SVC_CATALOG_FILE: variables.files.prefault('config/catalog.yaml'),
    SVC_PRICE_BPS: variables.priceBps.default(DEFAULT_PRICES.priceBps),
    SVC_OWN_CREDENTIAL_BPS: variables.priceBps.default(DEFAULT_PRICES.ownCredentialBps),
    SVC_FINE_TUNING_POLL_SECONDS: variables.secondsOfDay.default(15),
    SVC_INCIDENT_AFTER_SECONDS: variables.secondsOfDay.default(300),
    SVC_BASE_URL: baseUrlVariable,
    ...paymentVariables,
    SVC_SIMULATOR_URL: variables.url(['http', 'https']).optional(),
  })
  .superRefine(checkKafkaVariables)
  .superRefine(checkStorageVariables)
  .superRefine(checkPaymentVariables);

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);

const resealSchema = z.object({
  SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']),
  SVC_MASTER_KEY: variables.masterKey,
});

/** The configuration of the reseal command. @throws ConfigError in one line that names what is wrong. */
export const readResealConfig = () => loadConfig(resealSchema);
