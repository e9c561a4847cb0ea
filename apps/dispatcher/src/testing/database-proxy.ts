import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between a dispatcher and its database. After `cut` it breaks and refuses connections, until `restore`. */
export class DatabaseProxy {
  private readonly sockets = new Set<Socket>();
  private isCut = false;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const url = new URL(databaseUrl);
    const target = Number(url.port);
    const server = createServer((client) => {
      if (proxy.isCut) return void client.destroy();
      const upstream = connect(target, '127.0.0.1');
      client.pipe(upstream).pipe(client);
      for (const socket of [client, upstream]) {
        proxy.sockets.add(socket);
        socket
          .on('error', () => undefined)
          .once('close', () => {
            proxy.sockets.delete(socket);
            client.destroy();
            upstream.destroy();
          });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new DatabaseProxy(server, url.href);
    return proxy;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  restore(): void {
    this.isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
