import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface ReceivedCall {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly atMs: number;
}

type Answer = (response: ServerResponse, call: ReceivedCall) => void;

/** A server of others that records what it gets, and answers 200 unless it is told otherwise. */
export class RecordingReceiver {
  readonly calls: ReceivedCall[] = [];
  private readonly answers = new Map<string, Answer>();

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<RecordingReceiver> {
    const server = createServer();
    const receiver = new RecordingReceiver(server);
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => {
      receiver.take(incoming, response).catch(() => response.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get origin(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Sets the answer to the path from now on. */
  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  at = (path: string): readonly ReceivedCall[] => this.calls.filter((call) => call.path === path);

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private async take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, headers] = [incoming.url ?? '', incoming.headers];
    const call = { path, headers, body: await buffer(incoming), atMs: Date.now() };
    this.calls.push(call);
    const answer = this.answers.get(path);
    if (answer === undefined) response.end();
    else answer(response, call);
  }
}
