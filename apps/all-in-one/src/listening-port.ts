import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ConfigError } from '@svc/runtime/config';

interface ListeningPort {
  readonly port: number;
  /** Call it right before listening on the port. */
  release(): Promise<void>;
}

/**
 * The port to listen on. A 0 is replaced by a free port now, because the services must know their base URL; nobody else
 * gets that port until it is released.
 * @throws ConfigError in one line that names the variable and the remedy, before anything else starts.
 */
export async function listeningPort(port: number, host: string): Promise<ListeningPort> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw new ConfigError(reasonOf(error as NodeJS.ErrnoException, port, host));
  }
  const { port: chosen } = probe.address() as AddressInfo;
  if (port === 0) return { port: chosen, release: () => closed(probe.unref()) };
  // Callers know this port: they are refused until the service is ready, and not kept waiting.
  await closed(probe);
  return { port, release: () => Promise.resolve() };
}

async function closed(server: Server): Promise<void> {
  await once(server.close(), 'close');
}

function reasonOf({ code }: NodeJS.ErrnoException, port: number, host: string): string {
  switch (code) {
    case 'EADDRINUSE':
      return `SVC_PORT: port ${String(port)} is in use by another program: stop that, or set another port`;
    case 'EACCES':
      return `SVC_PORT: port ${String(port)} is for privileged users: set one from 1024 on`;
    default:
      return (
        `SVC_HOST: this machine cannot listen on ${host} (${String(code)}): ` +
        'set 127.0.0.1 for this machine alone, or 0.0.0.0 for all'
      );
  }
}
