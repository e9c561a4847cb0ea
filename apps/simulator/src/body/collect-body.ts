import { type IncomingMessage } from 'node:http';

/** All bytes of a body, of any size. @throws when the client disconnects before it has sent them. */
export async function collectBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    incoming.once('error', reject);
  });
}
