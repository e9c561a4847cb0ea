import { eventually } from '@svc/testing';
import { type LedgerAudit } from '../../harness/ledger-audit';
import { ask, type At, call, CHAT, MESSAGES } from '../lanes';
import { openStream } from '../open-stream';
import { OK, type WholeAnswer } from '../steady-load';

const FRAME_MS = 250;

interface CallsOptions {
  readonly count: number;
  /** When the provider of the nth call ends its answer. */
  readonly endAfterMs: (nth: number) => number;
}

interface CallsInFlight {
  /** Resolves when every caller has its whole answer. @throws Error when one was cut. */
  answers(): Promise<readonly WholeAnswer[]>;
}

/** Streams and plain calls on both routes, with and without a key. Resolves when all have holds. @param edgeOf the edge of the nth call. */
export async function openCalls(
  edgeOf: (nth: number) => At,
  audit: LedgerAudit,
  { count, endAfterMs }: CallsOptions,
): Promise<CallsInFlight> {
  const before = (await audit.calls()).length;
  const running = Array.from({ length: count }, (_, nth) => {
    const path = Math.floor(nth / 2) % 2 === 0 ? CHAT : MESSAGES;
    const isStream = Math.floor(nth / 4) % 2 === 0;
    return (isStream ? wholeStream : plainAnswer)(edgeOf(nth), path, endAfterMs(nth));
  });
  // Failures are reported by `answers`.
  for (const each of running) each.catch(() => undefined);
  await eventually(async () => {
    const pending = (await audit.calls()).slice(before).filter(({ status }) => status === 'pending');
    expect(pending).toHaveLength(count);
  });
  return { answers: () => Promise.all(running) };
}

async function wholeStream(at: At, path: string, durationMs: number): Promise<WholeAnswer> {
  const stream = await openStream(at, path, {
    frames: Math.ceil(durationMs / FRAME_MS),
    everyMs: FRAME_MS,
  });
  if (!(await stream.ended).endedWell) throw new Error(`The stream ${stream.id} broke off.`);
  return stream.whole();
}

let keyCount = 0;

async function plainAnswer(at: At, path: string, durationMs: number): Promise<WholeAnswer> {
  const answers: WholeAnswer[] = [];
  const nth = keyCount++;
  const headers = nth % 2 === 0 ? { 'idempotency-key': `in-flight-${String(nth)}` } : {};
  const outcome = await ask(at, path, call({ delay_ms: durationMs }), { answers, headers });
  const [answer] = answers;
  if (outcome !== OK || answer === undefined) throw new Error(`A plain call ended with ${outcome}.`);
  return answer;
}
