import { eventually } from '@svc/testing';
import { createLogger } from '../observability/logger';
import { WriteBehind } from './write-behind';

const NEVER_MS = 2 ** 30;

/** Notes of a spec, and what was written of them. */
function notesWritten(delayMs = 0) {
  const [waiting, writes, lines] = [[] as string[], [] as string[][], [] as string[]];
  const failures: Error[] = [];
  let during = () => undefined as unknown;
  const logger = createLogger(
    { service: 'platform-spec', level: 'info' },
    { write: (line: string) => void lines.push(line) },
  );
  const behind = new WriteBehind({
    what: 'notes',
    logger,
    isWaiting: () => waiting.length > 0,
    delayMs: () => delayMs,
    write: async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      const written = waiting.splice(0);
      writes.push(written);
      during();
      await Promise.resolve();
    },
  });
  const note = (text: string) => {
    waiting.push(text);
    behind.wake();
  };
  const whileWriting = (work: () => unknown) => (during = work);
  return { behind, note, writes, lines, failures, whileWriting };
}

describe('a write behind', () => {
  it('writes together what was noted together, and what came during a write after it', async () => {
    const { note, writes, whileWriting } = notesWritten();
    whileWriting(() => {
      if (writes.length === 1) note('c');
    });
    note('a');
    note('b');
    await eventually(() => expect(writes).toEqual([['a', 'b'], ['c']]));
  });

  it('tries again what it could not write, and says so', async () => {
    const { note, writes, failures, lines } = notesWritten();
    failures.push(new Error('away'), new Error('away'));
    note('a');
    await eventually(() => expect(writes).toEqual([['a']]));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('notes not written');
  });

  it('writes what is left at the end, without waiting, and nothing after it', async () => {
    const { behind, note, writes } = notesWritten(NEVER_MS);
    note('a');
    await behind.stop();
    note('b');
    expect([writes, behind.isStopped]).toEqual([[['a']], true]);
  });
});
