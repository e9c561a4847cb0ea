import { parseCatalog } from '@svc/catalog';
import { openSettlement } from '@svc/payments/work';
import { openTestDatabase } from '@svc/database/testing';
import { ScriptedProvider } from '@svc/payments/testing';
import { systemIds } from '@svc/runtime';
import { createMetrics } from '@svc/runtime/observability';
import { namesIn, OpenApiDocument, type OpenApiOperation } from '@svc/testing';
import { type ManagementRuntime } from '../../runtime';
import { startManagement, type ManagementUnderTest } from '../management-under-test';

/** The whole management API, as its own document describes it. */
export interface Surface {
  readonly management: ManagementUnderTest;
  readonly document: OpenApiDocument;
  close(): Promise<void>;
}

/** Contains what the examples of the document name. */
const CATALOG = `
providers:
  - { name: anthropic, protocol: anthropic, base_url: 'http://127.0.0.1:9/v1' }
  - { name: acme, protocol: openai, base_url: 'http://127.0.0.1:9/v1' }
models:
  - { id: acme/small, display_name: Acme Small, context_window: 128000, max_output_tokens: 4096 }
endpoints:
  - model: acme/small
    provider: anthropic
    upstream_model: small-1
    region: eu-west
    data_retention: zero
    prices: { input: 150, output: 600 }
fine_tuning:
  - model: acme/small
    provider: acme
    upstream_model: small-1
    region: eu-west
    data_retention: zero
    price_per_trained_token: 0
    max_trained_tokens: 1000
    hardware: [{ id: gpu-1x, price_per_hour: 1000, start_timeout_s: 60 }]
`;

/** @param options beside the catalog of the examples. */
export async function openSurface(
  options: Partial<Omit<ManagementRuntime, 'payments'>> = {},
): Promise<Surface> {
  const store = await openTestDatabase();
  const catalog = parseCatalog(CATALOG, { file: 'catalog.yaml', env: {} });
  const { database } = store;
  const baseUrl = 'http://svc.example';
  const provider = new ScriptedProvider();
  const metrics = createMetrics('surface');
  const settlement = openSettlement({ database, provider, baseUrl, reconcileSeconds: 600, metrics });
  const management = await startManagement({
    database,
    payments: { provider, settlement },
    catalog: () => catalog,
    baseUrl,
    ...options,
  });
  return {
    management,
    document: await OpenApiDocument.readFrom(management.url),
    close: async () => {
      await management.close();
      await store.close();
    },
  };
}

/** Routes of an organization: those that declare a permission, even if it is null. */
export const ofOrganizations = ({ operations }: OpenApiDocument): OpenApiOperation[] =>
  operations.filter((operation) => operation['x-permission'] !== undefined && !isOperators(operation));

export const isOperators = ({ path }: OpenApiOperation): boolean => path.startsWith('/platform/');

/** The path with its names replaced. An id of one of several collections with that name is named by the path up to it. */
export const filled = (path: string, ids: Readonly<Record<string, string>>): string =>
  namesIn(path).reduce((text, name) => {
    const id = ids[path.slice(0, path.indexOf(`{${name}}`))] ?? ids[name] ?? name;
    return text.replace(`{${name}}`, encodeURIComponent(id));
  }, path);

/** The example of a body with its required fields only; undefined where the route takes none. */
export function shortestBody(document: OpenApiDocument, { requestBody }: OpenApiOperation): unknown {
  const media = requestBody?.content['application/json'];
  if (media?.schema === undefined) return undefined;
  const { required = [], example } = document.resolved<{ required?: string[]; example?: unknown }>(
    media.schema,
  );
  if (example !== undefined || required.length === 0) return example ?? media.example;
  const fields = Object.entries(media.example as object).filter(([name]) => required.includes(name));
  return Object.fromEntries(fields);
}

/** An unknown id of the right kind for every name in the path. */
export function unknownIds({ parameters }: OpenApiOperation): Record<string, string> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(inPath.map(({ name, schema }) => [name, unknownLike(String(schema['example']))]));
}

/** An unknown id of the same kind as the example. */
export const unknownLike = (example: string): string =>
  example.replace(/_[0-9a-z]{26}$/, systemIds('project').replace(/^proj/, ''));
