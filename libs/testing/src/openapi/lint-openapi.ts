import { type OpenApiDocument, type OpenApiOperation } from './openapi-document';

/** Of the linter's recommendations, what makes no sense here. */
const rules = {
  // An id has its prefix, so a word in its place is never one: `/webhook-endpoints/deliveries/…` is no endpoint's.
  'no-ambiguous-paths': 'off',
  // The document names the installation that serves it, be that one on localhost.
  'no-server-example.com': 'off',
} as const;

/** Of an operation, what makes no sense for it. */
const exceptions: Readonly<Record<string, (operation: OpenApiOperation) => boolean>> = {
  // What anybody may read, and nothing in the path names, can't be called wrongly.
  'operation-4xx-response': ({ method, path, security }) =>
    method === 'GET' && security?.length === 0 && !path.includes('{'),
  // A form leads on.
  'operation-2xx-response': ({ answers }) => '303' in answers,
};

/** What a public linter says against an OpenAPI document, a line a problem. */
export async function lintOpenApi(document: OpenApiDocument): Promise<string[]> {
  // Loaded by those who lint alone: it takes a second.
  const { createConfig, lintFromString } = await import('@redocly/openapi-core');
  const problems = await lintFromString({
    source: JSON.stringify(document.raw),
    absoluteRef: '/openapi.json',
    config: await createConfig({ extends: ['recommended'], rules }),
  });
  return problems
    .map(({ ruleId, message, location }) => ({ ruleId, message, pointer: location[0]?.pointer ?? '' }))
    .filter(({ ruleId, pointer }) => !isExcepted(document, ruleId, pointer))
    .map(({ ruleId, message, pointer }) => `${ruleId} at ${pointer}: ${message}`);
}

const isExcepted = ({ operations }: OpenApiDocument, rule: string, pointer: string): boolean =>
  operations
    .filter((operation) => exceptions[rule]?.(operation) === true)
    .some(({ path, method }) =>
      pointer.startsWith(`#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/`),
    );
