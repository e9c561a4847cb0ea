import { once } from 'node:events';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo } from 'node:net';

/** A stop between a client and the service: what the client got, its own retries included. */
export interface RecordingProxy {
  readonly url: string;
  /** In the order in which the answers began. */
  readonly answers: { readonly status: number; readonly headers: IncomingHttpHeaders }[];
  close(): Promise<void>;
}

export async function startRecordingProxy(serviceUrl: string): Promise<RecordingProxy> {
  const answers: RecordingProxy['answers'] = [];
  const server = createServer((incoming, answer) => {
    const { host: _host, ...headers } = incoming.headers;
    const outgoing = request(serviceUrl + (incoming.url ?? ''), { method: incoming.method, headers });
    outgoing.on('response', (response) => {
      answers.push({ status: response.statusCode ?? 0, headers: response.headers });
      answer.writeHead(response.statusCode ?? 502, response.headers);
      answer.flushHeaders();
      response.on('data', (chunk: Buffer) => answer.write(chunk));
      response.on('end', () => answer.end());
      response.on('error', () => answer.destroy());
    });
    outgoing.on('error', () => answer.destroy());
    answer.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    answers,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
