import { type ErrorEnvelope } from '@svc/kernel';
import { type Operation } from '../call/operation';
import { renderError } from '../errors/route-errors';
import { encodeUtf8 } from '../json/byte-text';

/** An error after the stream has begun: the last frame of a stream that then just ends (contract.md section 5). */
export function streamErrorFrame(operation: Operation, envelope: ErrorEnvelope): Uint8Array {
  const name = operation === 'messages' ? 'event: error\n' : '';
  return encodeUtf8(`${name}data: ${JSON.stringify(renderError(operation, envelope))}\n\n`);
}

/** A comment that keeps idle connections open; every client ignores it (contract.md section 10). */
export function keepAliveComment(): Uint8Array {
  return encodeUtf8(': keep-alive\n\n');
}
