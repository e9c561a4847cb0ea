import { type IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@svc/kernel';

/**
 * Refuses compressed bodies: they would fail as invalid JSON, which would not tell the sender why.
 * @throws GatewayError `unsupportedContentEncoding` (RFC 9110 section 15.5.16).
 */
export function requireNoContentEncoding({ 'content-encoding': encoding }: IncomingHttpHeaders): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw new GatewayError(
    'unsupportedContentEncoding',
    'The body has a Content-Encoding, which is not supported. Send it uncompressed.',
    { param: 'Content-Encoding' },
  );
}
