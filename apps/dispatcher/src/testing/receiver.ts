import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A delivery as received. */
interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
}

export type Answer = (response: ServerResponse, delivery: ReceivedDelivery) => void;

/** A customer's server: answers as scripted for the path, else 204. */
export class Receiver {
  readonly received: ReceivedDelivery[] = [];
  private readonly answers = new Map<string, Answer>();
  private readonly server: Server = createServer((incoming, response) => {
    void (async () => {
      const body = Buffer.concat((await incoming.toArray()) as Buffer[]).toString();
      const delivery = { path: incoming.url ?? '', headers: incoming.headers, body, atMs: Date.now() };
      this.received.push(delivery);
      const answer = this.answers.get(delivery.path) ?? this.answers.get('*');
      if (answer === undefined) response.writeHead(204).end();
      else answer(response, delivery);
    })().catch(() => response.destroy());
  });

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  at(path: string): readonly ReceivedDelivery[] {
    return this.received.filter((delivery) => delivery.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export const status =
  (code: number): Answer =>
  (response) =>
    void response.writeHead(code).end();
