import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Operation {
  readonly parameters?: readonly (DocumentedParameter | { readonly $ref: string })[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
  >;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly responses: Readonly<Record<string, unknown>>;
  };
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: object;
}

export interface Example {
  readonly status: number;
  readonly body: unknown;
}

const GENERATED = join(__dirname, '../web/api/generated');

const read = (service: string): Document =>
  JSON.parse(readFileSync(join(GENERATED, `${service}.json`), 'utf8')) as Document;

let documents: readonly Document[] | undefined;
const both = (): readonly Document[] => (documents ??= [read('management'), read('auth')]);

const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`);

/** More words of its own make a path the closer match: `/keys/ids` before `/keys/{key_id}`. */
const variables = (path: string): number => path.split('{').length;

function documentedOperation(method: string, path: string): Operation | undefined {
  const operations = both()
    .flatMap(({ paths }) => Object.entries(paths))
    .filter(
      ([template, methods]) => pattern(template).test(path) && methods[method.toLowerCase()] !== undefined,
    )
    .sort(([one], [other]) => variables(one) - variables(other));
  return operations[0]?.[1][method.toLowerCase()];
}

/** The parameters that a call may have in its address. */
export const documentedQuery = (method: string, path: string): readonly DocumentedParameter[] =>
  (documentedOperation(method, path)?.parameters ?? []).filter(
    (parameter): parameter is DocumentedParameter => 'in' in parameter && parameter.in === 'query',
  );

/**
 * The success that the OpenAPI documents show for a call, so that a stub cannot lie about a shape.
 * @returns null for a call that they do not describe.
 */
export function documentedExample(method: string, path: string): Example | null {
  const responses = documentedOperation(method, path)?.responses ?? {};
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'));
  if (success === undefined) return null;
  const [status, { content }] = success;
  return { status: Number(status), body: structuredClone(content?.['application/json']?.example) };
}

/** The schemas that others refer to. */
export const documentedSchemas = (): object =>
  Object.assign({}, ...both().map(({ components }) => components.schemas)) as object;

interface SessionSchema {
  readonly properties: {
    readonly organizations: {
      readonly items: {
        readonly properties: { readonly permissions: { readonly items: { readonly enum: string[] } } };
      };
    };
  };
}

/** Every permission that the document of the session names. */
export function documentedPermissions(): readonly string[] {
  const schema = both()
    .map(({ components }) => components.schemas['Session'])
    .find((found) => found !== undefined);
  return (schema as SessionSchema).properties.organizations.items.properties.permissions.items.enum;
}
