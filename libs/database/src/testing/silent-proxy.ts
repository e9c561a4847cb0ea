import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy to a database that can stop passing data, like a paused server or a connection that is dead in one direction.
 */
export interface SilentProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /**
   * From now on the server's answers do not arrive. What is sent to the server arrives, unless `both` ways are silent.
   */
  silence(ways?: 'answers' | 'both'): void;
  /** Delivers what was held back, and passes everything again. */
  resume(): void;
  /** Breaks every connection. Data held back towards the server still arrives. */
  cut(): void;
  close(): Promise<void>;
}

interface Pipe {
  readonly from: Socket;
  readonly to: Socket;
  readonly isAnswer: boolean;
  held: Buffer[];
}

export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  let silent: 'none' | 'answers' | 'both' = 'none';
  let pipes: Pipe[] = [];
  const isHeld = ({ isAnswer }: Pipe) => silent === 'both' || (silent === 'answers' && isAnswer);
  const join = (from: Socket, to: Socket, isAnswer: boolean) => {
    const pipe: Pipe = { from, to, isAnswer, held: [] };
    pipes.push(pipe);
    from.on('data', (chunk: Buffer) => void (isHeld(pipe) ? pipe.held.push(chunk) : to.write(chunk)));
    from.on('error', () => undefined);
    from.on('close', () => {
      if (silent === 'none') to.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    join(client, upstream, false);
    join(upstream, client, true);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const flush = () => {
    for (const pipe of pipes) {
      for (const chunk of pipe.held.splice(0)) pipe.to.write(chunk);
    }
  };
  return {
    url: url.href,
    silence: (ways = 'answers') => void (silent = ways),
    resume: () => {
      silent = 'none';
      flush();
      // Where one side closed meanwhile, the other side is closed too.
      for (const { from, to } of pipes) if (from.destroyed) to.end();
      pipes = pipes.filter(({ from, to }) => !from.destroyed || !to.destroyed);
    },
    cut: () => {
      for (const { from, isAnswer } of pipes) if (!isAnswer) from.destroy();
    },
    close: async () => {
      for (const { from } of pipes) from.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
