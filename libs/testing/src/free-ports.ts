import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { processOfThisRun } from './config';

/**
 * Below every port that an operating system gives to outgoing connections (Linux: from 32768, gVisor: from 16000): one of
 * those may be taken while a server is down that a spec starts again. `fetch` refuses none of these
 * (https://fetch.spec.whatwg.org/#port-blocking). The servers of infra/local/servers have those below.
 */
const FIRST = 11_000;
const END = 16_000;
/** Processes of Jest that run beside each other never get each other's ports, though each gives them back before use. */
const PROCESSES = 8;
const OF_A_PROCESS = Math.floor((END - FIRST) / PROCESSES);

/** Two runs beside each other begin at other ports. */
let next = Math.floor(Math.random() * OF_A_PROCESS);

function nextPort(): number {
  next = (next + 1) % OF_A_PROCESS;
  return FIRST + (processOfThisRun % PROCESSES) * OF_A_PROCESS + next;
}

/** Ports that were free a moment ago, to listen on, or as ports that nothing listens on. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let tries = 0; ports.length < count && tries < OF_A_PROCESS; tries++) {
    const port = nextPort();
    if (await isFree(port)) ports.push(port);
  }
  if (ports.length < count) throw new Error('No port is free for this process.');
  return ports;
}

export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server: Server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    async () => {
      await once(server.close(), 'close');
      return true;
    },
    () => false,
  );
}
