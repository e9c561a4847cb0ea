import { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
import { type HttpMethod, type PathsWithMethod, type RequiredKeysOf } from 'openapi-typescript-helpers';
import { parseExact, stringifyExact } from './exact-json';

type Media = 'application/json';
/** A call that needs nothing may leave its options out. */
type Tail<T> = RequiredKeysOf<T> extends never ? [init?: T & Extra] : [init: T & Extra];
export type Init<Paths, P extends keyof Paths, M extends HttpMethod> = Paths[P] extends object
  ? Tail<NonNullable<MaybeOptionalInit<Paths[P], M & keyof Paths[P]>>>
  : never;
interface Extra {
  readonly signal?: AbortSignal;
  readonly headers?: Record<string, string>;
  /** Lets a call outlive the page that sent it. */
  readonly keepalive?: boolean;
}
type Success<Operation> =
  Operation extends Record<string | number, unknown>
    ? NonNullable<FetchResponse<Operation, object, Media>['data']>
    : never;
export type Answer<Paths, P extends keyof Paths, M extends HttpMethod> =
  Paths[P] extends Record<M, infer Operation> ? Success<Operation> : never;

/** The query of a read, as the OpenAPI document has it. */
export type QueryOf<Paths, P extends keyof Paths> = Paths[P] extends {
  readonly get: { readonly parameters: { readonly query?: infer Query } };
}
  ? NonNullable<Query>
  : never;

/** An answer with the version that `If-Match` of a later write names. */
export interface Versioned<Data> {
  readonly data: Data;
  readonly etag: string | null;
}

type Call<Paths extends object, M extends HttpMethod> = <P extends PathsWithMethod<Paths, M>>(
  path: P,
  ...init: Init<Paths, P, M>
) => Promise<Answer<Paths, P, M>>;

/** Typed calls that answer their data. They throw what `transport` throws. */
export interface Api<Paths extends object> {
  readonly get: Call<Paths, 'get'>;
  readonly post: Call<Paths, 'post'>;
  readonly put: Call<Paths, 'put'>;
  readonly patch: Call<Paths, 'patch'>;
  readonly delete: Call<Paths, 'delete'>;
  readonly getVersioned: <P extends PathsWithMethod<Paths, 'get'>>(
    path: P,
    ...init: Init<Paths, P, 'get'>
  ) => Promise<Versioned<Answer<Paths, P, 'get'>>>;
}

/** Parameters of a call, whatever their types are. */
interface LooseInit extends Extra {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
    readonly header?: Readonly<Record<string, string>>;
  };
  readonly body?: unknown;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
const encoded = (value: unknown): string => encodeURIComponent(String(value));

/** A path with its parameters. Several values of a filter are one parameter with commas. */
function addressOf(
  path: string,
  { path: places = {}, query = {} }: NonNullable<LooseInit['params']> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encoded(places[name]));
  const parameters = Object.entries(query)
    .filter(([, value]) => isGiven(value))
    .map(([name, value]) => `${name}=${[value].flat().map(encoded).join(',')}`);
  return parameters.length === 0 ? filled : `${filled}?${parameters.join('&')}`;
}

function requestOf(
  method: string,
  address: string,
  { params = {}, body, headers, ...rest }: LooseInit,
): Request {
  const isSent = body !== undefined;
  return new Request(address, {
    ...rest,
    method,
    headers: {
      ...(isSent && { 'Content-Type': 'application/json' }),
      ...headers,
      ...Object.fromEntries(Object.entries(params.header ?? {}).filter(([, value]) => isGiven(value))),
    },
    ...(isSent && { body: stringifyExact(body) }),
  });
}

/** Calls below an address, sent by `transport`: it knows who calls, and throws for what is no success. */
export function apiBelow<Paths extends object>(
  baseUrl: string,
  transport: (call: Request) => Promise<Response>,
): Api<Paths> {
  const versioned =
    (method: string) =>
    async (path: string, init: LooseInit = {}): Promise<Versioned<unknown>> => {
      const response = await transport(requestOf(method, baseUrl + addressOf(path, init.params), init));
      const text = await response.text();
      return { data: text === '' ? undefined : parseExact(text), etag: response.headers.get('etag') };
    };
  const plain = (method: string) => {
    const call = versioned(method);
    return async (path: string, init?: LooseInit) => (await call(path, init)).data;
  };
  const calls = {
    get: plain('GET'),
    post: plain('POST'),
    put: plain('PUT'),
    patch: plain('PATCH'),
    delete: plain('DELETE'),
    getVersioned: versioned('GET'),
  };
  return calls as unknown as Api<Paths>;
}
