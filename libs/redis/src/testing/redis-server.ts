import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A `redis-server` from the PATH, in memory only, on the loopback interface. */
export class RedisServer {
  private constructor(
    private readonly port: number,
    private process: ChildProcess,
  ) {}

  static async start(port: number): Promise<RedisServer> {
    return new RedisServer(port, await serve(port));
  }

  get url(): string {
    return `redis://127.0.0.1:${String(this.port)}`;
  }

  /** Simulates a crash: no shutdown, no saved data. */
  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await ended;
  }

  async startAgain(): Promise<void> {
    this.process = await serve(this.port);
  }

  /** Its connections stay open without answers. */
  pause(): void {
    this.process.kill('SIGSTOP');
  }

  resume(): void {
    this.process.kill('SIGCONT');
  }
}

async function serve(port: number): Promise<ChildProcess> {
  const options = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
  const server = spawn(
    'redis-server',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  await readyLine(server);
  return server;
}

async function readyLine(server: ChildProcess): Promise<void> {
  const { stdout } = server;
  if (stdout === null) throw new Error('The output of redis-server is not piped.');
  // A missing program ends its output too, which throws below.
  server.on('error', () => undefined);
  for await (const line of createInterface(stdout)) {
    if (!line.includes('Ready to accept connections')) continue;
    stdout.resume();
    return;
  }
  throw new Error('redis-server did not start. Is it on the PATH?');
}
