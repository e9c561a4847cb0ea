import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type WebhookTarget } from './stripe/stripe-webhook';

const schema = z.object({
  SVC_SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(9101),
  SVC_HOST: z.string().min(1).default('127.0.0.1'),
  SVC_SIMULATOR_WEBHOOK_URL: z.url().optional(),
  SVC_SIMULATOR_WEBHOOK_SECRET: z.string().optional(),
  SVC_SIMULATOR_WEBHOOK_SECRET_FILE: z.string().optional(),
  SVC_SECRETS_DIR: z.string().optional(),
  SVC_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
});

interface SimulatorConfig {
  readonly port: number;
  readonly host: string;
  /** True where each call is logged. */
  readonly logsCalls: boolean;
  /** Where the events of simulated payments go. Undefined without a secret to sign them with: nobody would take them. */
  readonly paymentWebhook: WebhookTarget | undefined;
}

/** @throws Error with one line for each invalid variable. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): SimulatorConfig {
  const parsed = schema.safeParse(environment);
  if (!parsed.success) {
    throw new Error(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    );
  }
  const { SVC_SIMULATOR_PORT: port, SVC_HOST: host, SVC_LOG_LEVEL: level } = parsed.data;
  return {
    port,
    host,
    logsCalls: ['trace', 'debug', 'info'].includes(level),
    paymentWebhook: webhookIn(parsed.data),
  };
}

function webhookIn(config: z.output<typeof schema>): WebhookTarget | undefined {
  const url = config.SVC_SIMULATOR_WEBHOOK_URL;
  const secret = webhookSecretIn(config);
  return url === undefined || secret === '' ? undefined : { url, secret };
}

const SECRET = 'SVC_SIMULATOR_WEBHOOK_SECRET';

/** As the other services read secrets: docs/configuration.md#secrets-in-files. Empty for none. */
function webhookSecretIn(config: z.output<typeof schema>): string {
  const folders = (config.SVC_SECRETS_DIR ?? '').split(',').filter((folder) => folder !== '');
  const inFolders = folders.map((folder) => join(folder.trim(), SECRET)).filter((path) => existsSync(path));
  const file = config.SVC_SIMULATOR_WEBHOOK_SECRET_FILE ?? '';
  const ways = [config.SVC_SIMULATOR_WEBHOOK_SECRET ?? '', ...inFolders.map(textIn)];
  if (file !== '') ways.push(secretNamedBy(file));
  const [secret = '', ...others] = ways.filter((text) => text !== '');
  if (others.length > 0) throw new Error(`${SECRET} is set twice`);
  return secret;
}

function secretNamedBy(file: string): string {
  if (!existsSync(file)) throw new Error(`${SECRET}_FILE names a file that cannot be read: ${file}`);
  const secret = textIn(file);
  if (secret === '') throw new Error(`${SECRET}_FILE names an empty file: ${file}`);
  return secret;
}

const textIn = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
