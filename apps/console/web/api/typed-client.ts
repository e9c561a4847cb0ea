import createClient, { type FetchResponse, type MaybeOptionalInit } from 'openapi-fetch';
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

type Loose = (path: string, init?: object) => Promise<{ data?: unknown; response: Response }>;

/** Calls below an address, sent by `transport`: it knows who calls, and throws for what is no success. */
export function apiBelow<Paths extends object>(
  baseUrl: string,
  transport: (call: Request) => Promise<Response>,
): Api<Paths> {
  const client = createClient<Record<string, never>>({
    baseUrl,
    fetch: transport,
    bodySerializer: (body) => stringifyExact(body),
    // Several values of a filter are one parameter with commas.
    querySerializer: { array: { style: 'form', explode: false } },
  });
  const answering = (method: unknown) => async (path: string, init?: object) => {
    const { data, response } = await (method as Loose)(path, { ...init, parseAs: 'text' });
    return { data: typeof data === 'string' && data !== '' ? parseExact(data) : undefined, response };
  };
  const plain = (method: unknown) => async (path: string, init?: object) =>
    (await answering(method)(path, init)).data;
  const versioned = async (path: string, init?: object) => {
    const { data, response } = await answering(client.GET)(path, init);
    return { data, etag: response.headers.get('etag') };
  };
  const calls = {
    get: plain(client.GET),
    post: plain(client.POST),
    put: plain(client.PUT),
    patch: plain(client.PATCH),
    delete: plain(client.DELETE),
    getVersioned: versioned,
  };
  return calls as unknown as Api<Paths>;
}
