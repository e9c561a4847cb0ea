import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { catalogOf, testModel } from './harness/catalog-file';
import { describeEmbedded } from './harness/composition';
import { openLedgerAudit } from './harness/ledger-audit';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const MIB = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const SIZES_MIB = [64, 128, 256];
/** Peak growth over the bytes of a body. */
const FACTOR_MAX = 3;
/** Of the edge's pod (infra/k8s/base/edge.yaml). Here the whole service runs in it, with its database. */
const POD_MIB = 1024;
const ASCII = 'All work and no play makes a gateway dull. ';
const WIDE = 'Viel Arbeit für ein Gateway \u{1F600}. ';

interface Sent {
  readonly head: string;
  readonly filling: string;
  readonly tail: string;
  readonly mib: number;
}

const chat = (filling: string, mib: number): Sent => ({
  head: `{"model":"${testModel}","max_tokens":9,"messages":[{"role":"user","content":"`,
  filling,
  tail: '"}]}',
  mib,
});
const listed = (filling: string, mib: number): Sent => ({
  head: `{"model":"${testModel}","messages":[{"role":"user","content":"Hi"}],"tools":[`,
  filling,
  tail: '{}]}',
  mib,
});

/** Sends a body of any size, piece by piece. @returns the status. */
function statusOf(svc: Svc, { head, filling, tail, mib }: Sent): Promise<number | undefined> {
  const chunk = Buffer.from(filling.repeat(Math.ceil(CHUNK_BYTES / Buffer.byteLength(filling))));
  const count = Math.ceil((mib * MIB) / chunk.byteLength);
  const headers = {
    authorization: `Bearer ${svc.apiKey}`,
    'content-type': 'application/json',
    'content-length': head.length + count * chunk.byteLength + tail.length,
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${svc.baseUrl}/v1/chat/completions`, { method: 'POST', headers }, (answer) => {
      answer.resume().once('end', () => {
        resolve(answer.statusCode);
      });
    });
    let sent = 0;
    const send = (): void => {
      while (sent++ < count) {
        if (outgoing.write(chunk)) continue;
        outgoing.once('drain', send);
        return;
      }
      outgoing.end(tail);
    };
    outgoing.once('error', reject).write(head);
    send();
  });
}

const memoryMib = ({ pid }: Svc, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
};

/** A group of processes that the system ends above a limit of memory; null where this machine makes none. */
function memoryGroup(mib: number): { readonly processes: string; remove(): void } | null {
  const name = `svc-spec-${String(process.pid)}`;
  for (const [base, limit] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const folder = join(base, name);
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, limit), String(mib * MIB));
      return {
        processes: join(folder, 'cgroup.procs'),
        remove: () => {
          rmdirSync(folder);
        },
      };
    } catch {
      // The other version, or none.
    }
  }
  process.stdout.write(
    'NOT RUN within the memory of a pod: this machine makes no group of processes with a limit.\n',
  );
  return null;
}

describeEmbedded('a large call', () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.stop());

  const start = async (route: 'chat' | 'messages', env: Record<string, string> = {}): Promise<Svc> => {
    const { endpoints, ...catalog } = catalogOf({ name: 'only', url: simulator.url });
    // Of the provider of messages, a chat call is translated.
    const served = endpoints
      .filter(({ provider }) => provider === `only-${route}`)
      .map((endpoint) => ({ ...endpoint, operations: ['chat_completions' as const] }));
    const svc = await startSvc({
      catalog: { ...catalog, endpoints: served },
      env: { SVC_LOG_LEVEL: 'warn', SVC_BOOTSTRAP_CREDIT_NANOS: String(10n ** 15n), ...env },
    });
    const audit = await openLedgerAudit(svc);
    await audit.raiseKeyLimits();
    await audit.close();
    expect(await statusOf(svc, chat(ASCII, 1))).toBe(200);
    return svc;
  };

  it.each([
    ['sent on as it is', 'chat', ASCII],
    ['sent on as it is, with characters of several bytes', 'chat', WIDE],
    ['translated', 'messages', ASCII],
    ['translated, with characters of several bytes', 'messages', WIDE],
  ] as const)(`that is %s takes at most ${String(FACTOR_MAX)} times its size`, async (_, route, filling) => {
    const svc = await start(route);
    const factors: number[] = [];
    const before = memoryMib(svc, 'VmRSS');
    for (const mib of SIZES_MIB) {
      // Resets the peak.
      writeFileSync(`/proc/${String(svc.pid)}/clear_refs`, '5');
      expect(await statusOf(svc, chat(filling, mib))).toBe(200);
      factors.push((memoryMib(svc, 'VmHWM') - before) / mib);
      await simulator.clearJournal();
    }
    process.stdout.write(
      `large call, ${route}: ${factors.map((factor) => factor.toFixed(2)).join(', ')} times\n`,
    );
    expect(Math.max(...factors)).toBeLessThan(FACTOR_MAX);
    await svc.stop();
  });

  it('of any size and form, alone or beside others, never ends a service within the memory of a pod', async () => {
    const group = memoryGroup(POD_MIB);
    if (group === null) return;
    const home = await temporaryFolder();
    const joining = join(home, 'join.cjs');
    writeFileSync(
      joining,
      `require('node:fs').writeFileSync(${JSON.stringify(group.processes)}, String(process.pid))`,
    );
    const svc = await start('messages', { NODE_OPTIONS: `--require ${joining}` });
    const sent = [
      ...[64, 128, 250].map((mib) => chat(WIDE, mib)),
      ...[300, 600, 1200].map((mib) => chat(ASCII, mib)),
      ...['{},', '1,', '{"type":"function","function":{"name":"a"}},'].map((one) => listed(one, 100)),
      chat('\\u0041', 200),
      chat('\u0001', 200),
    ];
    const statuses: unknown[] = [];
    for (const one of sent) {
      statuses.push(await statusOf(svc, one));
      await simulator.clearJournal();
    }
    expect(statuses).toEqual([200, 200, 200, 413, 413, 413, 413, 413, 413, 200, 400]);
    const beside = await Promise.all(
      [...Array<number>(8).fill(60), 200, 200].map((mib) => statusOf(svc, chat(ASCII, mib))),
    );
    for (const status of beside) expect([200, 503]).toContain(status);
    expect(beside).toContain(200);
    expect(await statusOf(svc, chat(ASCII, 1))).toBe(200);
    expect(memoryMib(svc, 'VmHWM')).toBeLessThan(POD_MIB);
    await svc.stop();
    group.remove();
    await removeFolder(home);
  });
});
