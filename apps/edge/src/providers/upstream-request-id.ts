import { type UpstreamAnswer } from './upstream-call';

/**
 * The headers in which providers give the id of a request, in the order in which they are looked for
 * (docs/reference/money.md#the-providers-request-id).
 */
const NAMES = [
  'request-id',
  'x-request-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-amzn-requestid',
  'cf-ray',
] as const;

const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/** The provider's own id of a request; null when it gave none in 1 to 200 visible ASCII characters. */
export function upstreamRequestIdIn(headers: UpstreamAnswer['headers']): string | null {
  for (const name of NAMES) {
    const given = headers[name];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
  }
  return null;
}
