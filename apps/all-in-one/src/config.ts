import { z } from 'zod';
import { isApiKeySecret } from '@svc/identity';
import { loadConfig, variables } from '@svc/platform';

const BOOTSTRAP_CREDIT_NANOS = 100_000_000_000n;

const schema = z
  .object({
    SVC_PORT: variables.port.default(8080),
    SVC_HOST: variables.host.default('127.0.0.1'),
    SVC_BASE_URL: variables.url(['http', 'https']).optional(),
    SVC_DATA_DIR: variables.path.default('.svc'),
    SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']).optional(),
    SVC_REDIS_URL: variables.url(['redis', 'rediss']).optional(),
    SVC_CATALOG_FILE: variables.path.default('config/catalog.yaml'),
    SVC_SIMULATOR_URL: variables.url(['http', 'https']).optional(),
    SVC_MASTER_KEY: variables.masterKey.optional(),
    SVC_PLATFORM_TOKEN: variables.secret(16).optional(),
    SVC_BOOTSTRAP_EMAIL: variables.email.default('owner@example.com'),
    SVC_BOOTSTRAP_PASSWORD: variables.secret(8).optional(),
    SVC_BOOTSTRAP_API_KEY: z
      .string()
      .refine(isApiKeySecret, 'must be svc_sk_ and at least 8 letters, digits, - or _')
      .optional(),
    SVC_BOOTSTRAP_CREDIT_NANOS: variables.nanos.default(BOOTSTRAP_CREDIT_NANOS),
    SVC_LOG_LEVEL: variables.logLevel.default('info'),
  })
  .superRefine((config, context) => {
    // Secrets made up here would be lost with this machine, and differ between two of them.
    if (config.SVC_DATABASE_URL === undefined) return;
    for (const name of ['SVC_MASTER_KEY', 'SVC_PLATFORM_TOKEN'] as const) {
      if (config[name] === undefined) {
        context.addIssue({ code: 'custom', path: [name], message: 'is required with SVC_DATABASE_URL' });
      }
    }
  });

export type AllInOneConfig = z.output<typeof schema>;

/** @throws ConfigError in one line that names what is wrong. */
export const readConfig = (): AllInOneConfig => loadConfig(schema);

/** Where catalog entries find what they name: `credential_env`, and variables in `base_url`. */
export const readEnvironment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env });
