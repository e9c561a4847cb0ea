import { isRecord, type JsonRecord } from '../json/byte-text';
import { inBandFailure } from './in-band-failure';
import { type StreamFailure } from './stream-relay';

/** The codes of a failed response that are no fault of its input, with their HTTP statuses. */
const statusOfCode: ReadonlyMap<unknown, number> = new Map([
  ['server_error', 500],
  ['rate_limit_exceeded', 429],
  ['vector_store_timeout', 504],
]);

/** The other codes of a failed response: the provider refuses the prompt, or an image in it. */
const REFUSED_INPUT =
  /^(?:(?:invalid|unsupported|empty|failed_to_download)_(?:base64_)?(?:prompt|image)|image_|bio_policy|misalignment_policy)/;

/** Reads the `error` of a failed response. */
export function responseFailure(error: unknown): StreamFailure {
  const failure = inBandFailure(error);
  const code: unknown = isRecord(error) ? error['code'] : null;
  const status = failure.status ?? statusOfCode.get(code) ?? (isRefusedInput(code) ? 400 : undefined);
  return status === undefined ? failure : { ...failure, status };
}

/** Reads an `error` event. OpenAI's has the error in a member `error`, the one that it documents has it at the top. */
export function responseErrorFailure(event: JsonRecord | null): StreamFailure {
  const { type: _, ...flat } = event ?? {};
  return responseFailure(isRecord(flat['error']) ? flat['error'] : flat);
}

const isRefusedInput = (code: unknown): boolean => typeof code === 'string' && REFUSED_INPUT.test(code);
