import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentIn } from './config';

const SERVERS = join(__dirname, '../../../../infra/local/servers.mjs');

/** A broker of its own, for what ends or halts it. It ends with this process at the latest, however that ends. */
export class KafkaServer {
  private readonly folder = mkdtempSync(join(tmpdir(), 'svc-kafka-'));
  private readonly environment = environmentIn(this.folder);
  private readonly keeper = this.startKeeper();
  readonly brokers = this.start();

  /** On the port, and with the data, that it had before. */
  start(): string[] {
    const brokers = /^SVC_KAFKA_BROKERS=(.+)$/m.exec(this.command('up'))?.[1];
    if (brokers === undefined) throw new Error('The broker did not say where it is.');
    return brokers.split(',');
  }

  /** As a crash: no warning. */
  kill(): void {
    this.command('kill');
  }

  /** Its connections stay open, and nothing comes back on them. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
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

  /** Reads from a pipe that this process alone holds, which ends with it, and takes the broker along. */
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
