import { eventually, inParallel } from '@svc/testing';
import { sleep } from '../../harness/sleep';
import { post } from '../../harness/clients';
import { cancelStatements, lockWallet } from '../../harness/database-faults';
import { rowsOf } from '../../harness/database-session';
import { type LedgerAudit } from '../../harness/ledger-audit';
import { type Svc } from '../../harness/svc-process';
import { expectBooksHold } from '../invariants';
import { ask, call, CHAT, keyedCalls, mixedCalls, type At } from '../lanes';
import { expectBalanced, expectChargedOnce, openBooks } from '../proven-books';
import { printTable, seconds } from '../recovery-report';
import { OK, outcomesOf, slowestOf, SteadyLoad, type WholeAnswer } from '../steady-load';
import { openCalls } from './calls-in-flight';
import {
  EDGE_SESSIONS,
  startFaultInstallation,
  type Caller,
  type FaultInstallation,
} from './fault-installation';

const CANCEL_MS = 10_000;
const CANCEL_EVERY_MS = 100;
const KEYS = Array.from({ length: 40 }, (_, nth) => nth);
const KEY_LANES = 4;
const LOCKED_MS = 8_000;
const OTHERS = 10;
/** How many calls in a row may find that the edge's cache has lost their caller. */
const LOOKUPS_MAX = 3;
/** The longest wait of another organization: less than half of the lock. */
const DELAY_MAX_MS = 3_000;
/** The longest wait of a caller, apart from delays of the machine itself. */
const ANSWER_MS_MAX = 5_000;

let installation: FaultInstallation;
let load: SteadyLoad;

let complaintsSeen = 0;
/** PostgreSQL's errors since the last call. */
async function newErrorsInLog(): Promise<string> {
  const log = await installation.servers.logOf('postgresql');
  const complaints = log.slice(complaintsSeen);
  complaintsSeen = log.length;
  return complaints;
}

async function booksAreRight(caller: Caller, answers: readonly WholeAnswer[]): Promise<void> {
  const audit = await openBooks(installation.svc, caller.tenant);
  await expectBalanced(audit, 20_000);
  await expectChargedOnce(audit, answers);
  await audit.close();
}

describe('sessions of PostgreSQL in trouble', () => {
  beforeAll(async () => {
    installation = await startFaultInstallation();
  });
  beforeEach(() => {
    load = new SteadyLoad();
  });
  afterEach(() => load.stop());
  afterAll(() => installation.stop());

  describe('statements are cancelled all the time', () => {
    let caller: Caller;
    let keyed: Caller;
    const answers: WholeAnswer[] = [];
    const keyedAnswers: WholeAnswer[] = [];
    beforeAll(async () => {
      [caller, keyed] = [await installation.newCaller(), await installation.newCaller()];
    });
    const startLoad = () => {
      for (let nth = 0; nth < 8; nth++)
        load.start({
          name: 'calls',
          pauseMs: 10,
          tryOnce: mixedCalls(installation.at(caller)(nth), answers),
        });
      for (let nth = 0; nth < 2; nth++) {
        const tryOnce = keyedCalls(installation.at(keyed)(nth), keyedAnswers, `lane-${String(nth)}`);
        load.start({ name: 'keyed', pauseMs: 10, tryOnce });
      }
    };
    const withKey = (nth: number) =>
      ask(installation.at(keyed)(nth), CHAT, call({ delay_ms: 100 }), {
        answers: keyedAnswers,
        headers: { 'idempotency-key': `once-${String(nth)}` },
      });
    /** Calls with a key each, spread over the fault. @returns how each of them ended. */
    const keyedCallsMeanwhile = () =>
      inParallel(KEYS, KEY_LANES, async (nth) => {
        await sleep(CANCEL_MS / (KEYS.length / KEY_LANES) - 200);
        return withKey(nth);
      });
    const cancelAll = () =>
      cancelStatements(installation.svc.databaseUrl, {
        applicationName: EDGE_SESSIONS,
        everyMs: CANCEL_EVERY_MS,
        forMs: CANCEL_MS,
      });

    it('each answer is charged once, and no key is left in progress', async () => {
      startLoad();
      await sleep(1_000);
      await newErrorsInLog();
      const [ended] = await Promise.all([keyedCallsMeanwhile(), cancelAll()]);
      const cancelled = (await newErrorsInLog()).split('canceling statement due to user request').slice(1);
      // Otherwise the fault hit nothing.
      expect(cancelled.some((complaint) => complaint.includes('book_calls'))).toBe(true);

      for (const nth of KEYS) {
        if (ended[nth] === OK) continue;
        await eventually(async () => {
          expect(await withKey(nth)).toBe(OK);
        });
      }
      for (const lane of ['calls', 'keyed']) await load.recovery(lane, performance.now());
      await load.stop();
      const outcomes = outcomesOf(load.after('calls', 0));
      printTable('statements cancelled every 100 ms for 10 s', [
        {
          cancelled: cancelled.length,
          calls: JSON.stringify(outcomes),
          'with a key': `${String(ended.filter((each) => each === OK).length)} of ${String(KEYS.length)} at once, all later`,
        },
      ]);
      expect(Object.keys(outcomes).filter((outcome) => ![OK, '503 overloaded'].includes(outcome))).toEqual(
        [],
      );

      await booksAreRight(caller, answers);
      await booksAreRight(keyed, keyedAnswers);
      const audit = await openBooks(installation.svc, keyed.tenant);
      // Retried ones included.
      expect((await audit.charges()).size).toBe(keyedAnswers.length);
      await audit.close();
      await expectBooksHold(installation.svc);
    });
  });

  describe('a wallet is locked for 8 s', () => {
    interface Organization {
      readonly lane: string;
      readonly caller: Caller;
      readonly answers: WholeAnswer[];
    }
    let locked: Organization;
    let others: readonly Organization[];
    beforeAll(async () => {
      const named = async (lane: string) => ({ lane, caller: await installation.newCaller(), answers: [] });
      locked = await named('locked');
      others = await inParallel(Array.from({ length: OTHERS }), 4, (_, nth) =>
        named(`other ${String(nth)}.`),
      );
    });
    const startCalls = ({ caller, answers }: Organization, name: string, nth: number, pauseMs: number) => {
      load.start({ name, pauseMs, tryOnce: mixedCalls(installation.at(caller)(nth), answers) });
    };
    /** At the edge that the calls of the locked organization wait at. */
    const servedIn = ({ lane }: Organization, fromMs: number, untilMs: number): number =>
      load.after(`${lane}0`, fromMs, untilMs).filter(({ outcome }) => outcome === OK).length;

    it('it delays no other organization, on either edge', async () => {
      for (const other of others)
        for (const nth of [0, 1]) startCalls(other, other.lane + String(nth), nth, 200);
      for (let lane = 0; lane < 4; lane++) startCalls(locked, 'locked', 0, 50);
      const audit = await openBooks(installation.svc, locked.caller.tenant);
      await sleep(2_000);

      const beforeAtMs = performance.now();
      await sleep(LOCKED_MS - 1_000);
      // Their settlement falls into the time of the lock.
      const calls = await openCalls(() => installation.at(locked.caller)(0), audit, {
        count: 8,
        endAfterMs: (nth) => 2_000 + 250 * nth,
      });
      await sleep(Math.max(0, beforeAtMs + LOCKED_MS - performance.now()));
      const beganAtMs = performance.now();
      const unlock = await lockWallet(installation.svc.databaseUrl, locked.caller.tenant.organizationId);
      // The lanes from before wait for their settlement.
      for (let lane = 0; lane < 4; lane++) startCalls(locked, 'refused', 0, 50);
      await sleep(LOCKED_MS);
      const endedAtMs = performance.now();
      await unlock();
      locked.answers.push(...(await calls.answers()));
      await load.recovery('refused', endedAtMs);
      await load.stop();

      const shares = others.map(
        (each) => servedIn(each, beganAtMs, endedAtMs) / servedIn(each, beforeAtMs, beganAtMs),
      );
      const meanShare = shares.reduce((sum, share) => sum + share, 0) / shares.length;
      const slowestBeforeMs = slowestOf(load.after('other', beforeAtMs, beganAtMs));
      const slowestMs = slowestOf(load.after('other', beganAtMs, endedAtMs));
      const refused = load.after('refused', beganAtMs, endedAtMs - ANSWER_MS_MAX);
      printTable('a wallet locked for 8 s', [
        {
          'share of calls kept': meanShare.toFixed(2),
          'by the least': Math.min(...shares).toFixed(2),
          'slowest of others before': seconds(slowestBeforeMs),
          'and meanwhile': seconds(slowestMs),
          'calls of the locked one': JSON.stringify(outcomesOf(refused)),
          'slowest of them': seconds(slowestOf(refused)),
        },
      ]);
      // An edge that waited for the lock would serve nobody. A machine that is busier than before serves some fewer.
      expect(meanShare).toBeGreaterThanOrEqual(0.5);
      expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.3);
      // Slowness without a lock is not caused by it.
      expect(slowestMs).toBeLessThan(Math.max(DELAY_MAX_MS, 3 * slowestBeforeMs));
      expect(Object.keys(outcomesOf(load.after('other', beforeAtMs)))).toEqual([OK]);
      expect(Object.keys(outcomesOf(refused))).toEqual(['503 overloaded']);
      expect(slowestOf(refused)).toBeLessThan(ANSWER_MS_MAX + slowestBeforeMs);

      for (const { caller, answers } of [locked, ...others]) await booksAreRight(caller, answers);
      await audit.close();
      await expectBooksHold(installation.svc);
    });
  });

  describe('the answer to a hold is lost on a connection that is half open', () => {
    let caller: Caller;
    let at: At;
    let audit: LedgerAudit;
    beforeAll(async () => {
      caller = await installation.newCaller();
      at = installation.at(caller)(0);
      audit = await openBooks(installation.svc, caller.tenant);
    });
    afterEach(() => {
      installation.line.cut();
    });
    afterAll(() => audit.close());

    const pending = async () => (await audit.calls()).filter(({ status }) => status === 'pending');
    /** The state of the request's record, or that it was released and can get none any more. */
    const stateOf = async (id: string) => {
      const [state] = await rowsOf(
        installation.svc.databaseUrl,
        `SELECT (SELECT status FROM request_records WHERE id = $1),
           EXISTS (SELECT FROM released_holds WHERE request_id = $1) AS released`,
        [id],
      );
      return state;
    };
    /**
     * A call whose hold is what is lost. The caller's entry in the edge's cache may just have expired. Then the call
     * waits for a lookup instead, and another one follows. It is wrapped, as otherwise `await` would wait for the answer.
     */
    const callInto = async (silence: 'answers' | 'both'): Promise<{ readonly answer: Promise<Response> }> => {
      for (let tries = 1; ; tries++) {
        await eventually(async () => {
          expect(await ask(at, CHAT, call(), { answers: [] })).toBe(OK);
        });
        installation.line.silence(silence);
        const answer = post(at as Svc, CHAT, call());
        let isAnswered = false;
        void answer.finally(() => (isAnswered = true)).catch(() => undefined);
        const isHeld = await eventually(() => {
          const hasSent = installation.line.sentInSilence().includes('book_calls');
          if (!hasSent && !isAnswered) throw new Error('The edge has sent nothing yet.');
          return hasSent;
        });
        if (isHeld) return { answer };
        expect(tries).toBeLessThan(LOOKUPS_MAX);
        installation.line.cut();
      }
    };
    const refusedId = async (answer: Promise<Response>) => {
      const askedAtMs = performance.now();
      const response = await answer;
      expect(await response.json()).toMatchObject({ error: { code: 'overloaded' } });
      expect(performance.now() - askedAtMs).toBeLessThan(ANSWER_MS_MAX);
      return response.headers.get('x-request-id')!;
    };

    it('and the hold was opened: it is released', async () => {
      const { answer } = await callInto('answers');
      await eventually(async () => {
        expect(await pending()).toHaveLength(1);
      });
      const id = await refusedId(answer);
      installation.line.cut();
      await eventually(async () => {
        expect(await stateOf(id)).toEqual({ status: 'failed', released: false });
      });
      await installation.line.deliverLate();
      await booksAreRight(caller, []);
      await expectBooksHold(installation.svc);
    });

    it('and the hold arrives long after its release: it is not opened', async () => {
      const id = await refusedId((await callInto('both')).answer);
      expect(await stateOf(id)).toEqual({ status: null, released: false });
      installation.line.cut();
      await eventually(async () => {
        expect(await stateOf(id)).toEqual({ status: null, released: true });
      });
      await newErrorsInLog();
      await installation.line.deliverLate();
      // A release that was delayed too arrives at the same time: either may take the wallet's lock first.
      expect(await newErrorsInLog()).toMatch(/a hold was released before it was opened|wallets are locked/);
      expect(await stateOf(id)).toEqual({ status: null, released: true });
      await booksAreRight(caller, []);
      await expectBooksHold(installation.svc);
    });
  });
});
