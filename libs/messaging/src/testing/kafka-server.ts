import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentIn } from './config';

const SERVERS = join(__dirname, '../../../../infra/local/servers.mjs');

/** A separate broker for tests that kill or pause it. It ends with this process at the latest, even after a crash. */
export class KafkaServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-kafka-'));
  private readonly environment = environmentIn(this.folder);
  private readonly keeper = this.startKeeper();
  readonly brokers = this.start();

  /** Uses the same port and data as before. */
  start(): string[] {
    const brokers = /^SVC_KAFKA_BROKERS=(.+)$/m.exec(this.command('up'))?.[1];
    if (brokers === undefined) throw new Error('The broker did not say where it is.');
    return brokers.split(',');
  }

  /** Simulates a crash. */
  kill(): void {
    this.command('kill');
  }

  /** Once it `isPaused`, its connections stay open without answers. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  /** One thread takes the signal. The others go on until that one has stopped them. */
  get isPaused(): boolean {
    const threads = `/proc/${String(this.pid)}/task`;
    return readdirSync(threads).every((thread) => {
      // The state follows the name in parentheses: proc_pid_stat(5).
      return /\) T /.test(readFileSync(join(threads, thread, 'stat'), 'utf8'));
    });
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  async remove(): Promise<void> {
    this.keeper.stdin?.end();
    await once(this.keeper, 'exit');
  }

  private get pid(): number {
    const note = readFileSync(join(this.folder, 'kafka/server.json'), 'utf8');
    return (JSON.parse(note) as { pid: number }).pid;
  }

  private command(name: 'up' | 'kill'): string {
    const args = [SERVERS, name, 'kafka'];
    return execFileSync(process.execPath, args, { env: this.environment, encoding: 'utf8' });
  }

  /**
   * A shell that reads from a pipe of this process. The pipe ends with the process, and the shell then kills the
   * broker.
   */
  private startKeeper(): ChildProcess {
    const script = 'cat >/dev/null; "$1" "$2" kill kafka; rm -rf "$3"';
    const args = ['-c', script, 'sh', process.execPath, SERVERS, this.folder];
    return spawn('sh', args, {
      env: this.environment,
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
  }
}
