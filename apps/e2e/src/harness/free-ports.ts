import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { processOfThisRun } from './config';

/**
 * Below the ephemeral ports: an outgoing connection could take a free one of those. And above 10080, the highest port that
 * `fetch` and browsers refuse to call (https://fetch.spec.whatwg.org/#port-blocking).
 */
const LOWEST = 11_000;
/**
 * Each process of Jest has ports of its own. Two that started services at once could find the same port free, and one would
 * talk to the services of the other.
 */
const COUNT = 2_000;
const PROCESSES = 10;
const first = LOWEST + ((processOfThisRun - 1) % PROCESSES) * COUNT;

/** Ports that were free a moment ago, to listen on, or as ports that nothing listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const taken = new Map<number, Server>();
  while (taken.size < count) {
    const port = first + Math.floor(Math.random() * COUNT);
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
