import { HttpCode, RequestMapping, RequestMethod, UseInterceptors } from '@nestjs/common';
import { z } from 'zod';
import { WrapList } from './list-envelope';
import { pageQuery, type CursorKind } from './page';
import { ReadCall } from './read-call';
import {
  declareRoute,
  type Answer,
  type Call,
  type CallShape,
  type DeclaredRoute,
  type Fields,
  type Ids,
  type ListAnswer,
  type NoFields,
  type RouteDefinition,
  type Verb,
} from './route';
import { TagVersion } from './version-tag';

const methods: Record<Verb, { readonly method: RequestMethod; readonly status: number }> = {
  list: { method: RequestMethod.GET, status: 200 },
  get: { method: RequestMethod.GET, status: 200 },
  create: { method: RequestMethod.POST, status: 201 },
  change: { method: RequestMethod.PATCH, status: 200 },
  replace: { method: RequestMethod.PUT, status: 200 },
  remove: { method: RequestMethod.DELETE, status: 204 },
  act: { method: RequestMethod.POST, status: 200 },
};

/** The HTTP method of a verb. */
export const methodOf = (verb: Verb): string => RequestMethod[methods[verb].method];

interface Declaration extends RouteDefinition {
  readonly query?: Fields;
  readonly body?: z.ZodType;
  readonly answer: z.ZodType | null;
  readonly cursor?: CursorKind | null;
}

/** Refuses, at compile time, a method whose input or output differs from its route's declaration. */
interface Handles<Shape extends CallShape, Output> {
  (
    target: object,
    key: string,
    method: { readonly value?: ((call: Call<Shape>) => Promise<Output>) | undefined },
  ): void;
  readonly declares: DeclaredRoute;
}

function route(verb: Verb, path: string, declaration: Declaration) {
  const { body = null, cursor = null, query = {}, headers = {}, ...rest } = declaration;
  const { method, status } = methods[verb];
  const fields = cursor === null ? query : { ...pageQuery, ...query };
  const declared: DeclaredRoute = {
    ...rest,
    verb,
    path,
    status,
    body,
    cursor,
    query: z.strictObject(fields),
    headers: z.object(headers),
  };
  const decorate = (target: object, key: string, descriptor: PropertyDescriptor): void => {
    declareRoute(descriptor.value as object, declared);
    RequestMapping({ path, method })(target, key, descriptor);
    HttpCode(status)(target, key, descriptor);
    ReadCall()(target, key, 0);
    if (declaration.versioned) UseInterceptors(new TagVersion())(target, key, descriptor);
    if (verb === 'list') UseInterceptors(new WrapList())(target, key, descriptor);
  };
  return Object.assign(decorate, { declares: declared });
}

/**
 * `GET` of a list: paged by cursor, newest first unless the summary names another order; whole where `cursor` is null.
 */
export const List = <Item extends z.ZodType, Query extends Fields = NoFields, PathIds extends Ids = NoFields>(
  path: string,
  {
    item,
    ...declared
  }: RouteDefinition<PathIds> & {
    readonly item: Item;
    readonly cursor: CursorKind | null;
    readonly query?: Query;
  },
): Handles<{ ids: keyof PathIds & string; query: Query }, ListAnswer<Item>> =>
  route('list', path, { ...declared, answer: item });

/** `GET` of one resource. */
export const Get = <
  Schema extends z.ZodType,
  Query extends Fields = NoFields,
  PathIds extends Ids = NoFields,
>(
  path: string,
  declared: RouteDefinition<PathIds> & { readonly answer: Schema; readonly query?: Query },
): Handles<{ ids: keyof PathIds & string; query: Query }, Answer<Schema>> => route('get', path, declared);

const withBody =
  (verb: Verb) =>
  <
    Schema extends z.ZodType,
    Body extends z.ZodType,
    PathIds extends Ids = NoFields,
    Headers extends Fields = NoFields,
  >(
    path: string,
    declared: RouteDefinition<PathIds> & {
      readonly body: Body;
      readonly answer: Schema;
      readonly headers?: Headers;
    },
  ): Handles<{ ids: keyof PathIds & string; body: Body; headers: Headers }, Answer<Schema>> =>
    route(verb, path, declared);

/** `POST` of a new resource: 201. */
export const Create = withBody('create');
/** `PATCH`: only the fields that are given change. */
export const Change = withBody('change');
/** `PUT`. */
export const Replace = withBody('replace');
/** `POST` of an action with input on what exists: 200. */
export const ActWith = withBody('act');

/** `POST` of an action on what exists: 200. */
export const Act = <Schema extends z.ZodType, PathIds extends Ids = NoFields>(
  path: string,
  declared: RouteDefinition<PathIds> & { readonly answer: Schema },
): Handles<{ ids: keyof PathIds & string }, Answer<Schema>> => route('act', path, declared);

/** `DELETE`: 204. */
export const Remove = <PathIds extends Ids = NoFields>(
  path: string,
  declared: RouteDefinition<PathIds>,
): Handles<{ ids: keyof PathIds & string }, void> => route('remove', path, { ...declared, answer: null });
