import { type IncomingMessage } from 'node:http';
import { GatewayError } from '@svc/kernel';

/**
 * The body as it came, of any size (interface.md, Limits, rule 5). Read only after the caller is known, so that
 * nobody fills our memory without a key.
 */
export async function readBody(incoming: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw new GatewayError('invalidRequest', 'The body ended before it was whole.', { cause });
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
