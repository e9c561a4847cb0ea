import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { ConfigError } from '@svc/platform';

/**
 * The port to listen on. A 0 is replaced by a free port now, because the services must know their base URL.
 * @throws ConfigError in one line that names the variable and the remedy, before anything else starts.
 */
export async function listeningPort(port: number, host: string): Promise<number> {
  const probe = createServer().listen(port, host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw new ConfigError(reasonOf(error as NodeJS.ErrnoException, port, host));
  }
  const { port: chosen } = probe.address() as AddressInfo;
  await once(probe.close(), 'close');
  return chosen;
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
