import { type ErrorEnvelope } from '@svc/kernel';
import { type Operation } from '../call/operation';
import { renderError } from '../errors/route-errors';
import { encodeUtf8 } from '../json/byte-text';

/**
 * The frame for an error after the stream has begun. It is the last frame, and no terminator follows
 * (docs/reference/errors.md#errors-inside-a-stream).
 */
export function streamErrorFrame(operation: Operation, envelope: ErrorEnvelope): Uint8Array {
  const name = operation === 'messages' ? 'event: error\n' : '';
  return encodeUtf8(`${name}data: ${JSON.stringify(renderError(operation, envelope))}\n\n`);
}

/**
 * A comment that keeps idle connections open. Clients ignore it
 * (docs/reference/inference-and-compatibility.md#streaming).
 */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';

export const keepAliveComment = (): Uint8Array => encodeUtf8(KEEP_ALIVE_COMMENT);
