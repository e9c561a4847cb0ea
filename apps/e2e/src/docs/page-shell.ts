import { spawn, type ChildProcess } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadyLine } from '../harness/svc';
import { sleep } from '../harness/sleep';
import { exitOf } from '../harness/app-process';
import { type Block } from './page';
import { type PageFolder } from './page-folder';

/** Below jest's own for a test. */
const BLOCK_TIMEOUT_MS = 110_000;
const END_TIMEOUT_MS = 40_000;
const POLL_MS = 20;
const READY = /^(SVC_READY (?<line>\{.*\})|Listening on .*)$/m;
const ENDED = /^::ended/m;

/** The terminal of a page's reader: one shell for all of its blocks, which ends where a command fails. */
export class PageShell {
  private readonly shell: ChildProcess;
  private printed = '';
  private blockCount = 0;

  constructor(
    private readonly folder: PageFolder,
    /** The Python that has the clients of the pages; null: their blocks are not run. */
    private readonly python: string | null,
  ) {
    // A process group of its own, so that all that the page has started can be ended with it.
    this.shell = spawn('sh', ['-e'], { cwd: folder.path, env: folder.env, detached: true });
    for (const stream of [this.shell.stdout, this.shell.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  /** @returns what it printed. @throws Error with that when a command failed. */
  async run(block: Block): Promise<string> {
    const name = block.file ?? `.block-${String(++this.blockCount)}`;
    await writeFile(join(this.folder.path, name), block.code);
    if (block.file !== null) return '';
    if (block.isServer) return this.start(name);
    return this.type(this.commandFor(block, `./${name}`));
  }

  /** Ends what the page has started, the service with the time that it takes to stop. */
  async close(): Promise<void> {
    const group = -(this.shell.pid ?? 0);
    signal(group, 'SIGTERM');
    const deadline = Date.now() + END_TIMEOUT_MS;
    while (signal(group, 0)) {
      if (Date.now() > deadline) signal(group, 'SIGKILL');
      await sleep(POLL_MS);
    }
    await exitOf(this.shell);
    await this.folder.remove();
  }

  private commandFor({ language }: Block, file: string): string {
    if (language === 'sh') return `. ${file}`;
    if (language === 'python') return `${this.python ?? 'python3'} ${file}`;
    return `node --input-type=module --eval "$(cat ${file})"`;
  }

  /** In the background, as in a second terminal. */
  private async start(file: string): Promise<string> {
    const log = join(this.folder.path, `${file}.log`);
    await this.type(`( set +e; ( set -e; . ./${file} ); echo "::ended $?" ) > ${log} 2>&1 < /dev/null &`);
    const deadline = Date.now() + BLOCK_TIMEOUT_MS;
    for (;;) {
      const printed = await readFile(log, 'utf8').catch(() => '');
      const ready = READY.exec(printed);
      if (ready !== null) {
        await this.export(ready.groups?.['line']);
        return printed;
      }
      if (ENDED.test(printed) || Date.now() > deadline) throw new Error(`It did not start:\n${printed}`);
      await sleep(POLL_MS);
    }
  }

  /** The variables that a first start tells its reader to export. */
  private async export(readyLine: string | undefined): Promise<void> {
    if (readyLine === undefined) return;
    const { base_url, api_key, platform_token } = JSON.parse(readyLine) as ReadyLine;
    if (api_key === null) return;
    const variables = { SVC_BASE_URL: base_url, SVC_API_KEY: api_key, SVC_PLATFORM_TOKEN: platform_token };
    for (const [name, value] of Object.entries(variables))
      await this.type(`export ${name}='${String(value)}'`);
  }

  private async type(command: string): Promise<string> {
    const end = `::end ${String(Math.random())}`;
    this.printed = '';
    // A command that read its input would take the next command for it.
    this.shell.stdin?.write(
      `${command}${command.endsWith('&') ? '' : ' < /dev/null'}\necho; echo '${end}'\n`,
    );
    const deadline = Date.now() + BLOCK_TIMEOUT_MS;
    while (!this.printed.includes(end)) {
      if (this.shell.exitCode !== null || Date.now() > deadline)
        throw new Error(`A command failed, or did not end. It printed:\n${this.printed}`);
      await sleep(POLL_MS);
    }
    return this.printed.replace(end, '');
  }
}

/** True where there was a process to get it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
