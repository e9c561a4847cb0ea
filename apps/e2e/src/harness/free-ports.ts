import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below the ephemeral ports: an outgoing connection could take a free one of those. */
const LOWEST = 10_000;
const COUNT = 20_000;

/** Ports that were free a moment ago, to listen on, or as ports that nothing listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const taken = new Map<number, Server>();
  while (taken.size < count) {
    const port = LOWEST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) taken.set(port, server);
  }
  await Promise.all(Array.from(taken.values(), (server) => once(server.close(), 'close')));
  return [...taken.keys()];
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
