import { z } from 'zod';
import { MANAGEMENT_RPM_DEFAULT } from '@svc/api';
import { DEFAULT_PRICES, END_USERS_PER_DAY_DEFAULT } from '@svc/ledger';
import { FILE_MAX_BYTES_DEFAULT, SLICE_SECONDS_DEFAULT } from '@svc/fine-tuning';
import { isApiKeySecret, isCommonPassword } from '@svc/access';
import { checkKafkaVariables, kafkaVariables } from '@svc/messaging';
import { checkPaymentVariables, paymentVariables } from '@svc/payments/stripe';
import { baseUrlVariable } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';
import { checkStorageVariables, storageVariables } from '@svc/storage';

const BOOTSTRAP_CREDIT_NANOS = 100_000_000_000n;
/** The longest password that a login takes. */
const BOOTSTRAP_PASSWORD_MAX = 512;

const bootstrapVariables = {
  SVC_BOOTSTRAP_EMAIL: variables.email.default('owner@example.com'),
  SVC_BOOTSTRAP_PASSWORD: variables
    .secret(8)
    .max(BOOTSTRAP_PASSWORD_MAX, `must have at most ${String(BOOTSTRAP_PASSWORD_MAX)} characters`)
    .refine((password) => !isCommonPassword(password), 'must not be a password that many people choose')
    .optional(),
  SVC_BOOTSTRAP_API_KEY: z
    .string()
    .refine(isApiKeySecret, 'must be svc_sk_ and at least 8 letters, digits, - or _')
    .optional(),
  SVC_BOOTSTRAP_CREDIT_NANOS: variables.nanos.default(BOOTSTRAP_CREDIT_NANOS),
};

const schema = z
  .object({
    SVC_PORT: variables.port.default(8080),
    SVC_HOST: variables.host.default('127.0.0.1'),
    SVC_BASE_URL: variables.url(['http', 'https']).optional(),
    SVC_TRUSTED_PROXIES: variables.trustedProxies.default(0),
    SVC_DATA_DIR: variables.path.default('.svc'),
    ...storageVariables,
    SVC_EXPORT_MAX_ROWS: variables.rows.default(10_000_000),
    SVC_EXPORT_RETENTION_DAYS: variables.days.default(7),
    SVC_EXPORT_WORK_PERCENT: variables.percent.default(0.25),
    SVC_FILE_MAX_BYTES: variables.fileBytes.default(FILE_MAX_BYTES_DEFAULT),
    SVC_ENDPOINT_SLICE_SECONDS: variables.secondsOfDay.default(SLICE_SECONDS_DEFAULT),
    SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']).optional(),
    SVC_REDIS_URL: variables.url(['redis', 'rediss']).optional(),
    ...kafkaVariables,
    SVC_KAFKA_BROKERS: variables.brokers.optional(),
    SVC_CATALOG_FILE: variables.files.prefault('config/catalog.yaml'),
    SVC_SIMULATOR_URL: variables.url(['http', 'https']).optional(),
    SVC_MASTER_KEY: variables.masterKey.optional(),
    SVC_PLATFORM_TOKEN: variables.secret(16).optional(),
    SVC_METRICS_TOKEN: variables.secret(16).optional(),
    ...bootstrapVariables,
    SVC_SMTP_URL: variables.url(['smtp', 'smtps']).optional(),
    SVC_MAIL_FROM: variables.email.optional(),
    SVC_WEBHOOK_ALLOW_PRIVATE: variables.flag.default(false),
    SVC_WEBHOOK_RETRY_DELAYS: variables.delays(5).default([60, 300, 1800, 7200, 43200]),
    SVC_REQUEST_RETENTION_MONTHS: variables.retentionMonths.optional(),
    SVC_ALERT_TICK_SECONDS: variables.tickSeconds.default(10),
    SVC_ORGANIZATION_METRICS: variables.flag.default(false),
    SVC_FINE_TUNING_POLL_SECONDS: variables.secondsOfDay.default(15),
    SVC_INCIDENT_AFTER_SECONDS: variables.secondsOfDay.default(300),
    SVC_OPERATOR_CONTACT: variables.contact.optional(),
    SVC_PRICE_BPS: variables.priceBps.default(DEFAULT_PRICES.priceBps),
    SVC_OWN_CREDENTIAL_BPS: variables.priceBps.default(DEFAULT_PRICES.ownCredentialBps),
    SVC_END_USERS_PER_DAY: variables.endUsers.default(END_USERS_PER_DAY_DEFAULT),
    SVC_MANAGEMENT_RPM: variables.callsPerMinute.default(MANAGEMENT_RPM_DEFAULT),
    SVC_STATUS_PAGE: variables.flag.default(false),
    ...paymentVariables,
    // A laptop can try payments, and no money moves.
    SVC_PAYMENTS: paymentVariables.SVC_PAYMENTS.removeDefault().default('test'),
    SVC_LOG_LEVEL: variables.logLevel.default('info'),
  })
  .superRefine((config, context) => {
    if ((config.SVC_SMTP_URL === undefined) !== (config.SVC_MAIL_FROM === undefined)) {
      const missing = config.SVC_SMTP_URL === undefined ? 'SVC_SMTP_URL' : 'SVC_MAIL_FROM';
      context.addIssue({ code: 'custom', path: [missing], message: 'is required: mail needs both of them' });
    }
    // Secrets generated here would be lost with this machine, and would differ between two machines.
    if (config.SVC_DATABASE_URL === undefined) return;
    for (const name of ['SVC_MASTER_KEY', 'SVC_PLATFORM_TOKEN'] as const) {
      if (config[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: 'is required with SVC_DATABASE_URL' });
      }
    }
  })
  .superRefine(checkKafkaVariables)
  .superRefine(checkStorageVariables)
  .superRefine(checkPaymentVariables);

const setUpSchema = z.object({
  SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']),
  SVC_BASE_URL: baseUrlVariable,
  ...bootstrapVariables,
});

/**
 * The configuration of the set-up that runs before separate services.
 * @throws ConfigError in one line that names what is wrong.
 */
export const readSetUpConfig = () => loadConfig(setUpSchema);

export type BootstrapConfig = Pick<z.output<typeof schema>, keyof typeof bootstrapVariables>;
export type AllInOneConfig = z.output<typeof schema>;

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = (): AllInOneConfig => loadConfig(schema);
