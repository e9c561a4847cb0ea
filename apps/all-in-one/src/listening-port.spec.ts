import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ConfigError } from '@svc/runtime/config';
import { listeningPort } from './listening-port';

const LOOPBACK = '127.0.0.1';
const listen = async (port: number): Promise<Server> => {
  const server = createServer().listen(port, LOOPBACK);
  await once(server, 'listening');
  return server;
};

describe('the port to listen on', () => {
  it('is the one that was asked for, free to be listened on', async () => {
    const { port: chosen, release } = await listeningPort(0, LOOPBACK);
    expect(chosen).toBeGreaterThan(0);
    await expect(listeningPort(chosen, LOOPBACK)).rejects.toThrow(ConfigError);
    await release();
    expect((await listeningPort(chosen, LOOPBACK)).port).toBe(chosen);
    (await listen(chosen)).close();
  });

  it('that another program has is refused in a line with the variable and the remedy', async () => {
    const other = await listen(0);
    const { port } = other.address() as AddressInfo;
    const refused = listeningPort(port, LOOPBACK);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      `SVC_PORT: port ${String(port)} is in use by another program: stop that, or set another port`,
    );
    other.close();
  });

  it('on an address that this machine does not have is refused as a matter of SVC_HOST', async () => {
    await expect(listeningPort(0, '203.0.113.1')).rejects.toThrow(
      /^SVC_HOST: this machine cannot listen on 203\.0\.113\.1 \(EADDRNOTAVAIL\): set 127\.0\.0\.1 .+$/,
    );
  });
});
