import { errorIn, errorMessageOf } from '../errors/upstream-error';
import { decodeUtf8, fromByteText, isRecord } from '../json/byte-text';
import { type StreamFailure } from './stream-relay';

/** The HTTP statuses of Anthropic's error types. */
const statusOfType: ReadonlyMap<unknown, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['api_error', 500],
  ['timeout_error', 504],
  ['overloaded_error', 529],
]);

/** Reads the `error` in a provider's stream of either protocol. */
export function inBandFailure(error: unknown): StreamFailure {
  const message = errorMessageOf(error) ?? 'The provider reported an error in its stream.';
  if (!isRecord(error)) return { message };
  const name = [error['code'], error['type']].find((value) => typeof value === 'string' && value !== '');
  const status = [error['status'], error['code']].find(isErrorStatus) ?? statusOfType.get(error['type']);
  return {
    message,
    ...(typeof name === 'string' ? { code: name.slice(0, 100) } : {}),
    ...(status === undefined ? {} : { status }),
  };
}

/** Reads the data of an error event, in byte text: an object with an `error`, an error, a list of them, or a text. */
export function errorEventFailure(data: string): StreamFailure {
  const told = errorIn(decodeUtf8(fromByteText(data)));
  const first: unknown = Array.isArray(told) ? told[0] : told;
  return inBandFailure(isRecord(first) ? (first['error'] ?? first) : told);
}

/** Reads a list of errors in place of a chunk: Google's servers send their errors so. Null for anything else. */
export function listedFailure(data: string): StreamFailure | null {
  if (!data.startsWith('[')) return null;
  const told = errorIn(decodeUtf8(fromByteText(data)));
  const isError = Array.isArray(told) && isRecord(told[0]) && Boolean(told[0]['error']);
  return isError ? errorEventFailure(data) : null;
}

/**
 * Reads the `error` of an answer that ends with the reason of an error, if it has one. Without a status of its own it is
 * one of the provider's.
 */
export const brokenOffAnswer = (error: unknown): StreamFailure => ({
  status: 502,
  ...(isRecord(error) || typeof error === 'string'
    ? inBandFailure(error)
    : { message: 'The provider broke its answer off by an error.' }),
});

const isErrorStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599;
