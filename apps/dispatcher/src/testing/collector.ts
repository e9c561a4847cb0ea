import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

interface TakenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The spans of a request in JSON, by their names and attributes. */
interface SentSpans {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name: string }[] }[];
  }[];
}

/** A collector for specs: it keeps what it gets, and answers as it is told. */
export class TestCollector {
  readonly requests: TakenRequest[] = [];
  /** Default: 200 without a body. */
  answer: (response: ServerResponse, request: TakenRequest) => void = (response) => void response.end();

  private readonly server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = { path: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks) };
      this.requests.push(request);
      this.answer(response, request);
    });
  });

  static async start(): Promise<TestCollector> {
    const collector = new TestCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** The names of the spans of each request in JSON. */
  get batches(): readonly (readonly string[])[] {
    return this.requests.map(({ body }) =>
      (JSON.parse(body.toString()) as SentSpans).resourceSpans
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans.map(({ name }) => name)),
    );
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
