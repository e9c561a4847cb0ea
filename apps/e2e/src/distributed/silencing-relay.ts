import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP relay to a server whose answers it can keep back. */
export class SilencingRelay {
  /** Connections whose answers it keeps back. */
  silenced = 0;
  private readonly sockets = new Set<Socket>();
  private connections = 0;
  private readonly listener = createServer((client) => {
    this.join(client, this.connections++);
  });

  private constructor(
    private readonly targetPort: number,
    /** Asked before each answer; `nth` is the number of the connection. Once it says no, that connection stays silent. */
    public mayAnswer: (nth: number) => boolean,
  ) {}

  static async start(targetPort: number): Promise<SilencingRelay> {
    const relay = new SilencingRelay(targetPort, () => true);
    relay.listener.listen(0, '127.0.0.1');
    await once(relay.listener, 'listening');
    return relay;
  }

  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.listener.close();
    await once(this.listener, 'close');
  }

  private join(client: Socket, nth: number): void {
    const server = connect(this.targetPort, '127.0.0.1');
    let isSilent = false;
    client.on('data', (chunk: Buffer) => server.write(chunk));
    server.on('data', (chunk: Buffer) => {
      if (isSilent) return;
      isSilent = !this.mayAnswer(nth);
      if (isSilent) this.silenced++;
      else client.write(chunk);
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket);
      socket
        .setNoDelay()
        .on('error', () => undefined)
        .on('close', () => {
          this.sockets.delete(socket);
          other.destroySoon();
        });
    }
  }
}
