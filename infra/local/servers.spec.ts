import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface RealServer {
  readonly name: string;
  readonly portCount: number;
  prepare(folder: string, ports: readonly number[]): { program: string; args: readonly string[] };
  isReady(): boolean;
}
type StartOn = (ports: readonly number[], server: RealServer, folder: string) => Promise<readonly number[]>;
type FreePorts = (count: number, wanted: readonly number[]) => Promise<readonly number[]>;

describe('a real server whose port somebody takes before it listens there', () => {
  let folder: string;
  let takers: Server[];
  let tried: number[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-taken-'));
    [takers, tried] = [[], []];
  });
  afterEach(async () => {
    await Promise.all(takers.map((taker) => once(taker.close(), 'close')));
    rmSync(folder, { recursive: true });
  });

  /** A server that ends at once while its port is taken, which somebody does the first times. */
  const startWhereTaken = async (times: number) => {
    const { startOn } = (await import('./servers.mjs' as string)) as { startOn: StartOn };
    const { freePorts } = (await import('./servers/background.mjs' as string)) as { freePorts: FreePorts };
    const server: RealServer = {
      name: 'stub',
      portCount: 1,
      prepare: (_, [port = 0]) => {
        tried.push(port);
        const isTaken = tried.length <= times;
        if (isTaken) takers.push(createServer().listen(port, '127.0.0.1'));
        return isTaken ? { program: 'false', args: [] } : { program: 'sleep', args: ['2'] };
      },
      isReady: () => tried.length > times,
    };
    return startOn(await freePorts(1, []), server, folder);
  };

  it('starts on another', async () => {
    expect(await startWhereTaken(2)).toEqual([tried[2]]);
    expect(new Set(tried).size).toBe(3);
  });

  it('gives up after five times, and names the port', async () => {
    await expect(startWhereTaken(9)).rejects.toThrow(/^stub: Somebody took port \d+\. It did not start/);
    expect(tried).toHaveLength(5);
  });
});

it('servers that are started beside each other get ports of their own, before either listens', async () => {
  const { freePorts } = (await import('./servers/background.mjs' as string)) as { freePorts: FreePorts };
  const given = await Promise.all(Array.from({ length: 20 }, () => freePorts(2, [])));
  expect(new Set(given.flat()).size).toBe(40);
});
