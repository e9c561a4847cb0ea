import { createServer, request } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface PacedProviders {
  /** `/<provider>/…` of it is the upstream's `/…`, after the provider's pause. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Providers that differ in how long they take, in front of one upstream. */
export async function startPacedProviders(
  upstreamUrl: string,
  pausesMs: Readonly<Record<string, number>>,
): Promise<PacedProviders> {
  const server = createServer((incoming, answer) => {
    const [, provider = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(incoming.url ?? '') ?? [];
    void pause(pausesMs[provider] ?? 0).then(() => {
      const { method, headers } = incoming;
      const outgoing = request(upstreamUrl + path, { method, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      outgoing.on('error', () => answer.destroy());
      incoming.pipe(outgoing);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
