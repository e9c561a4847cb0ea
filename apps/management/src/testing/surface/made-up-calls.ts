import fc from 'fast-check';
import { Pool } from 'undici';
import {
  AnswerValidator,
  inParallel,
  retryBusy,
  seedOfThisRun,
  type OpenApiDocument,
  type OpenApiOperation,
  type ReceivedAnswer,
} from '@svc/testing';
import { callsOf, type FuzzedCall } from './fuzzed-call';
import { FuzzedWorld } from './fuzzed-world';
import { CANARY } from './schema-values';
import { openSurface, type Surface } from './surface';

const LANES = 8;
/** Operations that succeed after an approval only, or for an organization that has a policy, a running rollout, a card or a tuned model, or has paid. */
const NEEDS_MORE =
  /^((approve|reject|cancel)ApprovalRequest|claimApprovedSecret|(update|delete|disable)ApprovalPolicy|(get|delete)PaymentMethod|deleteFineTunedModel|(create|start|stop)FineTuningEndpoint|replaceAutoTopUp|refundPayment|abortRollout)/;
/** Calls delete more than they create. */
const REFILL_EVERY = 400;

/**
 * Sends calls that are made up from the document, as many of each operation. If all calls were refused, that would prove
 * little: at least this share of the operations must succeed once.
 */
export const describeMadeUpCalls = (count: number, servedShareMin: number): void => {
  describe(`${String(count)} calls made up from the document`, () => {
    let surface: Surface;
    let world: FuzzedWorld;
    let pool: Pool;
    beforeAll(async () => {
      surface = await openSurface();
      pool = new Pool(surface.management.url, { connections: LANES });
      world = await FuzzedWorld.of(surface);
    });
    afterAll(async () => {
      await pool.close();
      await surface.close();
    });

    it('are each answered inside the document, never with a 500, and shown no secret', async () => {
      const { document } = surface;
      const validator = await AnswerValidator.of(document);
      const problems: string[] = [];
      const served = new Set<string>();
      const judge = async (call: FuzzedCall) => {
        const sent = world.made(call);
        const answer = await retryBusy(() => send(pool, sent));
        world.learn(answer);
        const operation = operationAt(document, sent);
        if (operation !== null && answer.status < 300) served.add(operation.operationId);
        const problem = world.leaked(answer) ?? problemOf(operation, answer, sent.method, validator);
        if (problem !== null) problems.push(`${describeCall(sent)}\n    ${problem}`);
      };
      const calls = madeUp(document, count);
      for (let at = 0; at < calls.length; at += REFILL_EVERY) {
        // While no call runs: one could make a policy that gates what is recreated.
        await world.refill();
        await inParallel(calls.slice(at, at + REFILL_EVERY), LANES, judge);
      }

      expect(problems.slice(0, 20)).toEqual([]);
      const never = document.operations.filter(
        ({ operationId }) => !served.has(operationId) && !NEEDS_MORE.test(operationId),
      );
      const names = never.map(({ operationId }) => operationId);
      const neverMax = document.operations.length * (1 - servedShareMin);
      expect(names.length > neverMax ? names : []).toEqual([]);
    });
  });
};

/** As many of each operation, in any order. */
function madeUp(document: OpenApiDocument, count: number): FuzzedCall[] {
  const { operations } = document;
  const each = Math.ceil(count / operations.length);
  const ofEach = operations.map((operation, at) =>
    fc.sample(callsOf(operation, document), { seed: seedOfThisRun + at, numRuns: each }),
  );
  const order = fc.sample(fc.shuffledSubarray([...Array(each).keys()], { minLength: each }), {
    seed: seedOfThisRun,
    numRuns: 1,
  });
  return (order[0] ?? []).flatMap((at) => ofEach.flatMap((calls) => calls[at] ?? []));
}

async function send(pool: Pool, { method, path, headers, body }: FuzzedCall): Promise<ReceivedAnswer> {
  const answer = await pool.request({ method, path, headers: { ...headers }, body });
  const received = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) received.set(name, String(value));
  return { status: answer.statusCode, headers: received, text: await answer.body.text() };
}

/**
 * The operation that serves a call; null where none does. A literal part of a path takes precedence over a parameter.
 */
function operationAt({ operations }: OpenApiDocument, { method, path }: FuzzedCall): OpenApiOperation | null {
  const parts = path.replace(/\?.*$/s, '').split('/');
  const fitting = operations.filter((operation) => {
    const expected = operation.path.split('/');
    const wanted = method === 'HEAD' ? 'GET' : method;
    return (
      operation.method === wanted &&
      expected.length === parts.length &&
      expected.every((part, at) => part.startsWith('{') || part === parts[at])
    );
  });
  const names = ({ path: template }: OpenApiOperation) => template.split('{').length;
  return fitting.sort((left, right) => names(left) - names(right))[0] ?? null;
}

function problemOf(
  operation: OpenApiOperation | null,
  answer: ReceivedAnswer,
  method: string,
  validator: AnswerValidator,
): string | null {
  if (answer.status >= 500) return `answers ${String(answer.status)}: ${answer.text}`;
  // A call that no operation serves is unknown, unless its body could not be read.
  if (operation === null) {
    const isRefused = [400, 404].includes(answer.status) || isOtherMethod(answer, method);
    return isRefused ? null : `answers ${String(answer.status)}`;
  }
  if (method === 'HEAD') return answer.text === '' ? null : 'has a body';
  return validator.problemOf(operation, answer);
}

/** True where the answer refuses the method and names those that the path allows. */
function isOtherMethod({ status, headers }: ReceivedAnswer, method: string): boolean {
  const allowed = headers.get('allow')?.split(', ') ?? [];
  return status === 405 && allowed.length > 0 && !allowed.includes(method);
}

const describeCall = ({ method, path, caller, headers, body }: FuzzedCall): string =>
  `${method} ${path} by ${caller} ${JSON.stringify(headers)} ${body?.slice(0, 500) ?? ''}`.replaceAll(
    CANARY,
    '‹canary›',
  );
