import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@svc/kernel';
import { joined } from '../delivery/joined';

/**
 * The body as it came, of any size (interface.md, Limits, rule 5). Read only after the caller is known, so that
 * nobody fills our memory without a key.
 */
export function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const cut = (cause?: Error) => {
      reject(new GatewayError('invalidRequest', 'The body ended before it was whole.', { cause }));
    };
    // Events, not iteration: that costs more than all else that is done with a small body.
    incoming
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        incoming.off('close', cut);
        resolve(joined(chunks));
      })
      .on('error', cut)
      .on('close', cut);
    if (incoming.destroyed) cut();
  });
}
