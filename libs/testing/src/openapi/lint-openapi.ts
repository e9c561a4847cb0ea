import { type OpenApiDocument, type OpenApiOperation } from './openapi-document';

/** Recommended rules that do not apply to this API. */
const rules = {
  // Ids have prefixes, so a word is never an id: `/webhook-endpoints/deliveries/…` is not ambiguous.
  'no-ambiguous-paths': 'off',
  // The document names the installation that serves it, which may be on localhost.
  'no-server-example.com': 'off',
} as const;

/** Rules that do not apply to some operations. */
const exceptions: Readonly<Record<string, (operation: OpenApiOperation) => boolean>> = {
  // A public GET without path parameters has no error of the caller.
  'operation-4xx-response': ({ method, path, security }) =>
    method === 'GET' && security?.length === 0 && !path.includes('{'),
  // A form answers with a redirect. OpenAI's jobs can be paused, and these cannot: both routes refuse every call.
  'operation-2xx-response': ({ answers, path }) => '303' in answers || /\/(pause|resume)$/.test(path),
};

/** The problems that a public linter finds in an OpenAPI document, one line each. */
export async function lintOpenApi(document: OpenApiDocument): Promise<string[]> {
  // Loaded only for linting, because loading takes a second.
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
