import { type GatedAction } from '@svc/approvals';
import { type Permission, type Scope } from '@svc/access';
import { type ErrorName, type IdKind, type Page, type Slice } from '@svc/kernel';
import { type z } from 'zod';
import { type Caller } from './caller';
import { type Credential } from './credential';
import { type CursorKind } from './page';

export type Fields = Readonly<Record<string, z.ZodType>>;
export type NoFields = Record<never, never>;
/** Kinds of the ids in a path. A model's id comes from the catalog and has none of our forms. */
export type Ids = Readonly<Record<string, IdKind | 'model'>>;

/** The declaration of a route of the management API; its OpenAPI operation comes from the same lines. */
export interface RouteDefinition<PathIds extends Ids = Ids> {
  /** One line for the reference. */
  readonly summary: string;
  readonly description?: string;
  /** Null where any authenticated caller may call: the answer is about the caller. */
  readonly permission: Permission | null;
  /** The OAuth scope that opens the route; null: closed to every access token. */
  readonly scope: Scope | null;
  /**
   * The answer spans the caller's organizations. The call need not name one, and the permission in any of them
   * suffices. `caller.organizationId` is the first.
   */
  readonly acrossOrganizations?: boolean;
  /** The credentials that the route supports, where not all: it refuses the others itself with 403. */
  readonly callers?: readonly Credential['kind'][];
  /** Kinds of the ids in the path. An id of another kind answers 404 as an unknown one. */
  readonly ids?: PathIds;
  /** Headers that the route reads, by the name that the reference shows. */
  readonly headers?: Fields;
  /** Errors of the catalogue, beyond those of every route. */
  readonly errors?: readonly ErrorName[];
  /** The action by which an approval policy can gate the route; absent where no policy can. */
  readonly approval?: GatedAction;
  /** The field of the answer with a secret that is shown once. After an approval the requester claims it. */
  readonly secretField?: string;
  /** The answer's `version` is its `ETag`. */
  readonly versioned?: true;
  /** The name of the operation in the OpenAPI document where verb and noun do not make one. */
  readonly operation?: string;
}

/** The parts of a call that a route's method uses: path ids, the query's fields, the body's schema, headers. */
export interface CallShape {
  readonly ids?: string;
  readonly query?: Fields;
  readonly body?: z.ZodType;
  readonly headers?: Fields;
}

/** A route's input, validated. */
export interface Call<Shape extends CallShape = NoFields> {
  readonly caller: Caller;
  readonly ids: Readonly<Record<Shape['ids'] extends string ? Shape['ids'] : never, string>>;
  readonly query: Shape['query'] extends Fields ? z.output<z.ZodObject<Shape['query']>> : NoFields;
  readonly body: Shape['body'] extends z.ZodType ? z.output<Shape['body']> : undefined;
  readonly headers: Shape['headers'] extends Fields ? z.output<z.ZodObject<Shape['headers']>> : NoFields;
  /** For lists only. */
  readonly page: Page;
}

export type Verb = 'list' | 'get' | 'create' | 'change' | 'replace' | 'remove' | 'act';

/** A route as it was declared on its method. */
export interface DeclaredRoute extends Omit<RouteDefinition, 'headers'> {
  readonly verb: Verb;
  readonly path: string;
  readonly status: number;
  readonly query: z.ZodObject;
  readonly headers: z.ZodObject;
  readonly body: z.ZodType | null;
  /** The schema of the answer, or of one item of a list; null where there is no body. */
  readonly answer: z.ZodType | null;
  /** The kind of id in the list's cursors; null for a list without pages, and for other routes. */
  readonly cursor: CursorKind | null;
}

const ROUTE = Symbol('route');

export const declareRoute = (handler: object, route: DeclaredRoute): void => {
  Reflect.defineMetadata(ROUTE, route, handler);
};

export const routeOf = (handler: object): DeclaredRoute | undefined =>
  Reflect.getMetadata(ROUTE, handler) as DeclaredRoute | undefined;

export type Answer<Schema extends z.ZodType> = z.input<Schema>;
export type ListAnswer<Item extends z.ZodType> = Slice<z.input<Item>>;
