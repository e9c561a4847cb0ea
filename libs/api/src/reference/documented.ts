import { type JsonSchema } from '../document/json-schema';

/** The parts of a rendered OpenAPI document that the reference reads. */
export interface Documented {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, JsonSchema>>;
    readonly parameters?: Readonly<Record<string, DocumentedParameter>>;
    readonly responses?: Readonly<Record<string, DocumentedAnswer>>;
  };
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (DocumentedParameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedAnswer | Reference>>;
  readonly 'x-permission'?: string | null;
  readonly 'x-oauth-scope'?: string | null;
}

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface DocumentedAnswer {
  readonly description: string;
  readonly content?: Content;
}

export type Content = Readonly<
  Record<
    string,
    {
      readonly schema?: JsonSchema;
      readonly example?: unknown;
      readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
    }
  >
>;

interface Reference {
  readonly $ref: string;
}

/** A part of an operation, or the component that it refers to. */
export function componentOf<T extends object>(
  part: T | Reference,
  components: Readonly<Record<string, T>> | undefined,
): T {
  if (!('$ref' in part)) return part;
  const component = components?.[part.$ref.slice(part.$ref.lastIndexOf('/') + 1)];
  if (component === undefined) throw new Error(`The document has no ${part.$ref}`);
  return component;
}
