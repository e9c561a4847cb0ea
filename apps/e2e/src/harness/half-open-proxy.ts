import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a database whose connections can become half open, as when a network drops packets silently. */
export interface HalfOpenProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Drops the server's answers from now on; with `both`, also delays what is sent to the server until `deliverLate`. */
  silence(ways: 'answers' | 'both'): void;
  /** The bytes that clients sent since the silence began, delayed or not. */
  sentInSilence(): string;
  /** Breaks the half-open connections for the client only, and lets new ones pass. The server does not notice. */
  cut(): void;
  /** Delivers the delayed bytes to the server, followed by the end of the connection. Resolves when the server has closed it. */
  deliverLate(): Promise<void>;
  close(): Promise<void>;
}

interface Line {
  readonly client: Socket;
  readonly server: Socket;
  silent: 'answers' | 'both' | null;
  readonly onItsWay: Buffer[];
  readonly sentInSilence: Buffer[];
}

export async function startHalfOpenProxy(databaseUrl: string): Promise<HalfOpenProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<Line>();
  let silent: Line['silent'] = null;
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    const line: Line = { client, server, silent, onItsWay: [], sentInSilence: [] };
    lines.add(line);
    join(line, () => lines.delete(line));
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const ownUrl = new URL(databaseUrl);
  ownUrl.host = `127.0.0.1:${String((proxy.address() as AddressInfo).port)}`;
  const silentLines = () => [...lines].filter((line) => line.silent !== null);
  return {
    url: ownUrl.href,
    silence: (ways) => {
      silent = ways;
      for (const line of lines) line.silent = ways;
    },
    sentInSilence: () => Buffer.concat(silentLines().flatMap((line) => line.sentInSilence)).toString(),
    cut: () => {
      silent = null;
      for (const { client } of silentLines()) client.destroy();
    },
    deliverLate: async () => {
      const late = silentLines();
      for (const { server, onItsWay } of late) server.end(Buffer.concat(onItsWay.splice(0)));
      await Promise.all(late.map(({ server }) => server.closed || once(server, 'close')));
    },
    close: async () => {
      for (const { client, server } of lines) for (const end of [client, server]) end.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

function join(line: Line, forget: () => void): void {
  const { client, server, onItsWay } = line;
  client.on('data', (chunk: Buffer) => {
    if (line.silent !== null) line.sentInSilence.push(chunk);
    if (line.silent === 'both') onItsWay.push(chunk);
    else server.write(chunk);
  });
  server.on('data', (chunk: Buffer) => {
    if (line.silent === null) client.write(chunk);
  });
  for (const end of [client, server]) end.setNoDelay().on('error', () => undefined);
  client.on('close', () => {
    if (line.silent === null) server.end();
  });
  server.on('close', () => {
    forget();
    if (line.silent === null) client.end();
  });
}
