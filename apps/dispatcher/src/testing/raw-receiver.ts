import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** Handles a connection, once the head of the request has arrived. */
export type RawBehaviour = (socket: Socket) => void;

/** A receiver whose every byte is scripted. */
export class RawReceiver {
  readonly sockets: Socket[] = [];
  /** Bytes that its connections accepted. */
  sentBytes = 0;

  private constructor(private readonly server: Server) {}

  /** @param whenConnected behaves at once, without waiting for a request. */
  static async start(behave: RawBehaviour, whenConnected = false): Promise<RawReceiver> {
    const server = createServer((socket) => {
      receiver.sockets.push(socket);
      socket.on('error', () => undefined);
      if (whenConnected) return void behave(socket);
      socket.once('data', () => {
        behave(socket);
      });
    });
    const receiver = new RawReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}/hook`;
  }

  get openSockets(): number {
    return this.sockets.filter(({ destroyed, readyState }) => !destroyed && readyState !== 'closed').length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const answering =
  (...pieces: readonly string[]): RawBehaviour =>
  (socket) => {
    socket.end(pieces.join(''));
  };

/** Sends a piece again and again, until the other side closes. */
export const dripping =
  (head: string, piece: string, everyMs: number): RawBehaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.once('close', () => {
      clearInterval(timer);
    });
  };
