import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Provider } from '@svc/catalog';

const START_WITHIN_MS = 30_000;

/** The record of the simulator (apps/simulator/README.md). */
interface SimulatorRecord {
  readonly files: readonly { readonly id: string; readonly filename: string; readonly sha256: string }[];
  readonly jobs: readonly { readonly id: string; readonly metadata: Readonly<Record<string, string>> }[];
  readonly endpoints: readonly { readonly id: string; readonly state: string }[];
  readonly calls: Readonly<Record<string, number>>;
}

/** The real simulator, built and run as its own process. */
export class SimulatorProcess {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /** @param build compiles projects of the repository into a folder. */
  static async start(
    build: (projects: readonly string[], folder: string) => void,
  ): Promise<SimulatorProcess> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-simulator-'));
    build(['apps/simulator', 'libs/kernel'], folder);
    const child = spawn(process.execPath, [join(folder, 'apps/simulator/src/main.js')], {
      env: { SVC_SIMULATOR_PORT: '0', SVC_LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await addressOf(child);
    return new SimulatorProcess(child, folder, url);
  }

  /** As the catalog has it. */
  get provider(): Provider {
    return { name: 'simulator', protocol: 'openai', baseUrl: `${this.url}/v1`, credentialEnv: null };
  }

  /** Directs what it makes and how it answers from now on. */
  async direct(settings: object): Promise<void> {
    const answer = await fetch(`${this.url}/__simulator/fine-tuning`, {
      method: 'PUT',
      body: JSON.stringify(settings),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }

  async record(): Promise<SimulatorRecord> {
    return (await (await fetch(`${this.url}/__simulator/fine-tuning`)).json()) as SimulatorRecord;
  }

  async stop(): Promise<void> {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function addressOf(child: ChildProcess): Promise<string> {
  let printed = '';
  const { stdout } = child;
  if (stdout === null) throw new Error('The simulator has no output.');
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS);
    // It is read to its end, because it goes on printing.
    stdout.setEncoding('utf8').on('data', (piece: string) => {
      printed += piece;
      const url = /listens on (\S+?)"/.exec(printed)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once('exit', () => {
      clearTimeout(timer);
      reject(new Error(`The simulator did not start. It printed: ${printed}`));
    });
  });
}
