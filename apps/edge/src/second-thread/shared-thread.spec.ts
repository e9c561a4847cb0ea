import { BuiltThread } from '../testing/built-thread';
import { CallParser } from '../parsing/call-parser';
import { type JobThread } from './second-thread';
import { SharedThread } from './shared-thread';
import { type ThreadJobs } from './thread-job';

const bodyOf = (byteCount: number): Buffer =>
  Buffer.from(
    JSON.stringify({ model: 'acme/small', messages: [{ role: 'user', content: 'x'.repeat(byteCount) }] }),
  );

describe('the second thread, shared', () => {
  it('parses another organization’s 1 MB between ten 10 MB bodies of one', async () => {
    const thread = new BuiltThread();
    const parser = new CallParser(new SharedThread(thread));
    const large = bodyOf(10_000_000);
    const ended: string[] = [];
    const parse = (organizationId: string, body: Buffer) =>
      parser.parse('chat_completions', body, organizationId).then(() => ended.push(organizationId));
    const parsing = Array.from({ length: 10 }, () => parse('org_much', Buffer.from(large)));
    parsing.push(parse('org_little', bodyOf(1_000_000)));
    await Promise.all(parsing);
    await thread.close();
    expect(ended.indexOf('org_little')).toBeLessThanOrEqual(2);
  });

  it('runs one job of each queue at a time, whatever its kind; only counts have queues of their own', async () => {
    const begun: string[] = [];
    let running = 0;
    const thread: JobThread = {
      run: async (kind, { bytes }) => {
        begun.push(`${kind} of ${String(bytes[0])}`);
        expect(++running).toBeLessThanOrEqual(3);
        await new Promise(setImmediate);
        running--;
        return undefined as never;
      },
      close: () => Promise.resolve(),
    };
    const shared = new SharedThread(thread);
    const bring = (kind: keyof ThreadJobs, tenant: number) =>
      shared.run(kind, String(tenant), 1, () => ({ bytes: Uint8Array.of(tenant) }) as never);
    const brought = (['parse', 'losses', 'translate'] as const).map((kind) => bring(kind, 1));
    brought.push(bring('translate', 2), bring('count', 3), bring('count', 3), bring('count', 4));
    brought.push(bring('output', 5), bring('output', 5));
    await Promise.all(brought);
    // Of each queue the first.
    expect(begun.slice(0, 3)).toEqual(['parse of 1', 'count of 3', 'output of 5']);
    expect(begun.filter((job) => !/^(count|output)/.test(job))).toEqual([
      'parse of 1',
      'translate of 2',
      'losses of 1',
      'translate of 1',
    ]);
    expect(begun.filter((job) => job.startsWith('count'))).toEqual([
      'count of 3',
      'count of 4',
      'count of 3',
    ]);
  });
});
