import { exampleOf } from '../document/example';
import { type JsonSchema, type NamedSchemas } from '../document/json-schema';
import { type Content, type DocumentedParameter } from './documented';
import { type Entry } from './entry';

/**
 * The shortest call of a route, for a shell. The path's ids and the caller's secret are variables; the rest works as
 * printed.
 */
export function curlOf(entry: Entry, baseUrl: string, named: NamedSchemas): string {
  const [path = ''] = entry.paths;
  const content = Object.entries<Content[string]>(entry.operation.requestBody?.content ?? {})[0];
  const url = `"${baseUrl}${withVariables(path)}${requiredQuery(entry.parameters, named)}"`;
  const parts = [
    ...(entry.method === 'get' ? [`curl -sS ${url}`] : [`curl -sS -X ${entry.method.toUpperCase()}`, url]),
    ...credentialOf(entry),
    ...(content === undefined ? [] : bodyOf(content[0], content[1], named)),
  ];
  return parts.join(' \\\n  ');
}

/** `{project_id}` as `$PROJECT_ID`. */
const variableOf = (name: string): string => `$${name.toUpperCase()}`;

const withVariables = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => variableOf(name));

function requiredQuery(parameters: readonly DocumentedParameter[], named: NamedSchemas): string {
  const needed = parameters.filter(({ in: place, required }) => place === 'query' && required === true);
  const fields = needed.map(({ name, schema }): [string, string] => [name, String(exampleOf(schema, named))]);
  return fields.length === 0 ? '' : `?${new URLSearchParams(fields).toString()}`;
}

const credentials: Readonly<Record<string, string>> = {
  apiKey: '-H "Authorization: Bearer $SVC_API_KEY"',
  operator: '-H "Authorization: Bearer $SVC_PLATFORM_TOKEN"',
  accessToken: '-H "Authorization: Bearer $SVC_ACCESS_TOKEN"',
  session: '-H "Cookie: svc_session=$SVC_SESSION"',
};

function credentialOf({ method, operation: { security = [] } }: Entry): string[] {
  const [scheme = ''] = security.flatMap(Object.keys);
  const header = credentials[scheme];
  if (header === undefined) return [];
  const isWriteByCookie = scheme === 'session' && method !== 'get';
  return [header, ...(isWriteByCookie ? ['-H "X-CSRF-Token: $SVC_CSRF_TOKEN"'] : [])];
}

function bodyOf(type: string, { schema = {}, example }: Content[string], named: NamedSchemas): string[] {
  const body = example !== undefined && schema.example !== undefined ? example : shortest(schema, named);
  if (type === 'application/json') {
    return ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`];
  }
  if (type === 'multipart/form-data') {
    return Object.entries(body as object).map(([name, value]) => `-F ${quoted(`${name}=${String(value)}`)}`);
  }
  return Object.entries(body as object).map(
    ([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`,
  );
}

/** The required fields; all fields where none is required. */
function shortest(schema: JsonSchema, named: NamedSchemas): unknown {
  const required = exampleOf(schema, named, { requiredOnly: true });
  const isEmpty = typeof required === 'object' && required !== null && Object.keys(required).length === 0;
  return isEmpty ? exampleOf(schema, named) : required;
}

/** The text, quoted for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
