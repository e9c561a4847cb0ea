import { apiErrorOf, UnreachableError } from './api-error';
import { stringifyExact } from './exact-json';

interface EdgeCall {
  readonly path: `/v1/${string}`;
  /** The API key. It is sent to the edge, and to nothing else. */
  readonly key: string;
  /** Sent by POST; a call without a body is a GET. */
  readonly body?: object;
  /** Continued by the edge, so that a call without an answer can be found (https://www.w3.org/TR/trace-context-1/). */
  readonly traceId?: string;
  readonly signal?: AbortSignal;
}

/**
 * Calls the inference API with a key, as any program does: without the session, which a refused key does not end.
 * @throws ApiError for an answer that is no success; UnreachableError without an answer; the reason of the signal.
 */
export async function callEdge({ path, key, body, traceId, signal }: EdgeCall): Promise<Response> {
  let response;
  try {
    response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(traceId !== undefined && { traceparent: `00-${traceId}-${randomHex(8)}-00` }),
      },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      ...(body !== undefined && { body: stringifyExact(body) }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new UnreachableError('The service cannot be reached.', { cause });
  }
  if (!response.ok) throw await apiErrorOf(response);
  return response;
}

/** So many random bytes as hexadecimal digits: a trace id has 16. */
export const randomHex = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
