import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { processOfThisRun } from './config';

/**
 * Processes of Jest that run beside each other never get each other's ports, though each gives its ports back before a
 * service listens on them.
 */
const PROCESSES = 8;
const isOfThisProcess = (port: number): boolean => (port >> 1) % PROCESSES === processOfThisRun % PROCESSES;

/**
 * Ports that were free a moment ago, to listen on, or as ports that nothing listens on. The operating system names them: it
 * keeps ports of their parity from outgoing connections, and `fetch` refuses none of them
 * (https://fetch.spec.whatwg.org/#port-blocking).
 */
export async function freePorts(count: number): Promise<number[]> {
  const own: number[] = [];
  const listening: Server[] = [];
  while (own.length < count) {
    const server = createServer().listen(0, '127.0.0.1');
    listening.push(server);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    if (isOfThisProcess(port)) own.push(port);
  }
  await Promise.all(listening.map((server) => once(server.close(), 'close')));
  return own;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
