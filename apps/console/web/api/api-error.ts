import { parseExact } from './exact-json';

interface Facts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retriable: boolean;
  /** How long the API asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** The body as it was answered, for the few errors that carry more than the envelope. */
  readonly body: unknown;
}

/** An answer of the API that is no success: the members of its envelope (docs/reference/errors.md). */
export class ApiError extends Error implements Facts {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  readonly requestId: string | null;
  readonly retriable: boolean;
  readonly retryAfterMs: number | null;
  readonly body: unknown;

  constructor({ message, ...facts }: Facts) {
    super(message);
    this.status = facts.status;
    this.code = facts.code;
    this.param = facts.param;
    this.requestId = facts.requestId;
    this.retriable = facts.retriable;
    this.retryAfterMs = facts.retryAfterMs;
    this.body = facts.body;
  }
}

/** The answer could not be had at all: the network failed, or the service is away. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly retriable = true;
}

/** Whether the same call may succeed later. Unknown errors are mistakes of the console, which repeating does not mend. */
export const isRetriable = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof UnreachableError) && error.retriable;

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** The error of a response that is no success. A body that is no envelope, of a proxy for example, is not quoted. */
export async function apiErrorOf(response: Response): Promise<ApiError> {
  return errorIn(readEnvelope(await response.text().catch(() => '')), response);
}

/** The error that an envelope states: the body of an answer, or the last frame of a stream. */
export function errorIn(body: unknown, response: Response): ApiError {
  const stated = isRecord(body) && isRecord(body['error']) ? body['error'] : {};
  return new ApiError({
    status: response.status,
    code: textOf(stated['code']) ?? `http_${String(response.status)}`,
    message: textOf(stated['message']) ?? `The service answered with status ${String(response.status)}.`,
    param: textOf(stated['param']),
    requestId: textOf(stated['request_id']) ?? response.headers.get('x-request-id'),
    retriable: stated['retriable'] === true || (stated['code'] === undefined && response.status >= 502),
    retryAfterMs: retryAfterOf(response.headers),
    body,
  });
}

function readEnvelope(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return null;
  }
}

function retryAfterOf(headers: Headers): number | null {
  const milliseconds = headers.get('retry-after-ms');
  if (milliseconds !== null && /^\d+$/.test(milliseconds)) return Number(milliseconds);
  const seconds = headers.get('retry-after');
  return seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : null;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
