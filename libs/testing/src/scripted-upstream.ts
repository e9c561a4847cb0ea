import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Answers one call byte by byte, after its body was read. */
export type ScriptedAnswer = (incoming: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** A received call. */
interface ReceivedCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Resolves at the end of the exchange: true when the answer was complete, false when the client disconnected. */
  readonly answered: Promise<boolean>;
}

/**
 * A provider whose every byte the test decides. A call without a scripted answer gets a 500, and `close` then throws,
 * so that no test passes by accident.
 */
export class ScriptedUpstream {
  readonly received: ReceivedCall[] = [];
  private readonly script: ScriptedAnswer[] = [];
  private readonly failures: Error[] = [];
  private readonly server = createServer((incoming, response) => {
    this.serve(incoming, response).catch((error: unknown) => {
      // A client that disconnects while its body is read is a test case, not a failure of the script.
      if (incoming.complete) this.failures.push(error instanceof Error ? error : new Error(String(error)));
      response.destroy();
    });
  });

  static async start(): Promise<ScriptedUpstream> {
    const upstream = new ScriptedUpstream();
    await new Promise<void>((resolve, reject) => {
      upstream.server.once('error', reject);
      upstream.server.listen(0, '127.0.0.1', resolve);
    });
    return upstream;
  }

  /** Without a path. */
  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Scripts the answer to the next call. */
  next(answer: ScriptedAnswer): void {
    this.script.push(answer);
  }

  /** Closes all connections. @throws the errors of scripted answers and of calls without one. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
    if (this.failures.length > 0) throw new AggregateError(this.failures, 'The scripted upstream failed');
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const answered = new Promise<boolean>((resolve) => {
      response.once('close', () => {
        resolve(response.writableFinished);
      });
    });
    const { method = '', url: path = '', headers } = incoming;
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    this.received.push({ method, path, headers, body, answered });
    const answer = this.script.shift();
    if (answer === undefined) {
      this.failures.push(new Error(`Nothing is scripted for ${method} ${path}`));
      response.writeHead(500).end('nothing is scripted for this call');
      return;
    }
    await answer(incoming, response);
  }
}
