import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Schemas that other schemas include, and their files. */
const SPREAD = [
  ['serviceVariables(', 'libs/http/src/config/service-variables.ts'],
  ['processVariables(', 'libs/http/src/config/process-variables.ts'],
  ['kafkaVariables,', 'libs/messaging/src/kafka/kafka-variables.ts'],
  ['storageVariables,', 'libs/storage/src/config/storage-variables.ts'],
  ['paymentVariables,', 'libs/payments/src/stripe/payment-settings.ts'],
] as const;

interface ServiceVariables {
  readonly read: ReadonlySet<string>;
  readonly required: readonly string[];
}

/**
 * The variables of an app's `config.ts` and of its catalog. Read from the text, because infra imports nothing of the
 * services.
 */
export function variablesOf(app: string): ServiceVariables {
  const config = read(`apps/${app}/src/config.ts`);
  const own = schemaEntries(config);
  const named = new Set(own.map(([name]) => name));
  const common = includedIn(config)
    .flatMap((text) => schemaEntries(text))
    .filter(([name]) => !named.has(name));
  const catalog = config.includes('SVC_CATALOG_FILE') ? catalogVariables() : [];
  const entries = [...own, ...common];
  return {
    // Every app reads its variables from there too.
    read: new Set(['SVC_SECRETS_DIR', ...entries.map(([name]) => name), ...catalog]),
    required: entries
      .filter(([, schema]) => !/optional\(|default\(|prefault\(|baseUrlVariable/.test(schema))
      .map(([name]) => name),
  };
}

/** The texts of the schemas that a text includes, directly or through another. */
function includedIn(text: string): string[] {
  const files = SPREAD.filter(([spread]) => text.includes(`...${spread}`)).map(([, file]) => read(file));
  return files.flatMap((file) => [file, ...includedIn(file)]);
}

/** The variables of each provider's `credential_env`, and of `${NAME:-…}` in addresses. */
function catalogVariables(): string[] {
  const names = read('config/catalog.yaml').matchAll(/credential_env: (\w+)|\$\{(\w+)/g);
  return [...names].map(([, credential, part]) => credential ?? part ?? '');
}

/** `SVC_PORT: variables.port.default(8080),` and the like, over one or more lines. */
function schemaEntries(text: string): (readonly [name: string, schema: string])[] {
  const entries = text.matchAll(/^ +(SVC_\w+): ((?:.|\n(?! {2,4}(?:SVC_|\.\.\.)| {0,2}\}))*)/gm);
  return [...entries].map(([, name = '', schema = '']) => [name, schema]);
}
