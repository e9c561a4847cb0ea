import { z } from 'zod';
import { MANAGEMENT_RPM_DEFAULT } from '@svc/api';
import { FILE_MAX_BYTES_DEFAULT, SLICE_SECONDS_DEFAULT } from '@svc/fine-tuning';
import { DEFAULT_PRICES } from '@svc/ledger';
import { checkPaymentVariables, paymentVariables } from '@svc/payments/stripe';
import { baseUrlVariable, serviceVariables } from '@svc/http';
import { loadConfig, variables } from '@svc/runtime/config';
import { checkStorageVariables, storageVariables } from '@svc/storage';

const schema = z
  .object({
    ...serviceVariables(8082),
    ...storageVariables,
    SVC_DATA_DIR: variables.path.default('.svc'),
    SVC_BASE_URL: baseUrlVariable,
    SVC_CATALOG_FILE: variables.files.prefault('config/catalog.yaml'),
    SVC_MASTER_KEY: variables.masterKey,
    SVC_PLATFORM_TOKEN: variables.secret(16),
    SVC_SMTP_URL: variables.url(['smtp', 'smtps']).optional(),
    SVC_MAIL_FROM: variables.email.optional(),
    SVC_WEBHOOK_ALLOW_PRIVATE: variables.flag.default(false),
    SVC_FILE_MAX_BYTES: variables.fileBytes.default(FILE_MAX_BYTES_DEFAULT),
    SVC_OPERATOR_CONTACT: variables.contact.optional(),
    SVC_ENDPOINT_SLICE_SECONDS: variables.secondsOfDay.default(SLICE_SECONDS_DEFAULT),
    SVC_PRICE_BPS: variables.priceBps.default(DEFAULT_PRICES.priceBps),
    SVC_OWN_CREDENTIAL_BPS: variables.priceBps.default(DEFAULT_PRICES.ownCredentialBps),
    SVC_MANAGEMENT_RPM: variables.callsPerMinute.default(MANAGEMENT_RPM_DEFAULT),
    SVC_STATUS_PAGE: variables.flag.default(false),
    ...paymentVariables,
    SVC_SIMULATOR_URL: variables.url(['http', 'https']).optional(),
  })
  .superRefine(checkStorageVariables)
  .superRefine(checkPaymentVariables);

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = () => loadConfig(schema);
