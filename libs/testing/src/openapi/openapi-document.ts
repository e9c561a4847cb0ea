/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface MediaType {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DocumentedAnswer {
  readonly headers: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses: Readonly<Record<string, DocumentedAnswer | { readonly $ref: string }>>;
  readonly 'x-permission'?: string | null;
  readonly 'x-oauth-scope'?: string | null;
  readonly 'x-approval-action'?: string;
}

/** The served OpenAPI document. */
export interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** One operation with its references resolved. */
export interface OpenApiOperation extends Omit<RawOperation, 'parameters' | 'responses'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly answers: Readonly<Record<string, DocumentedAnswer>>;
}

/** An OpenAPI document for use in specs. */
export class OpenApiDocument {
  readonly operations: readonly OpenApiOperation[];

  constructor(readonly raw: RawDocument) {
    this.operations = Object.entries(raw.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters = [], responses, ...operation }]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: parameters.map((parameter) => this.resolved<Parameter>(parameter)),
        answers: Object.fromEntries(
          Object.entries(responses).map(([status, answer]) => [status, this.answerOf(answer)]),
        ),
      })),
    );
  }

  static async readFrom(baseUrl: string): Promise<OpenApiDocument> {
    const answer = await fetch(`${baseUrl}/api/v1/openapi.json`);
    return new OpenApiDocument((await answer.json()) as RawDocument);
  }

  /** Every field of a schema and every parameter, at any depth. */
  get fields(): readonly Field[] {
    return fieldsIn(this.raw);
  }

  private answerOf(answer: object): DocumentedAnswer {
    const { headers = {}, ...rest } = this.resolved<Partial<DocumentedAnswer>>(answer);
    const resolved = Object.entries(headers).map(([name, header]) => [name, this.resolved(header)]);
    return { ...rest, headers: Object.fromEntries(resolved) as DocumentedAnswer['headers'] };
  }

  /** Resolves a reference. Any other value is returned as it is. */
  resolved<T extends object>(part: object): T {
    if (!('$ref' in part) || typeof part.$ref !== 'string') return part as T;
    const [, , section = '', name = ''] = part.$ref.split('/');
    const target = this.raw.components[section]?.[name];
    if (typeof target !== 'object' || target === null) throw new Error(`The document has no ${part.$ref}`);
    return this.resolved<T>(target);
  }
}

interface Field {
  readonly name: string;
  readonly schema: Schema;
}

function fieldsIn(node: unknown): Field[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {}, name, schema, ...rest } = node as Record<string, object | string>;
  return [
    ...Object.entries(properties).map(([of, its]) => ({ name: of, schema: its as Schema })),
    ...(typeof name === 'string' && typeof schema === 'object' ? [{ name, schema: schema as Schema }] : []),
    ...[...Object.values(properties), schema, ...Object.values(rest)].flatMap(fieldsIn),
  ];
}

/** The names of a path's parameters. */
export const namesIn = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
