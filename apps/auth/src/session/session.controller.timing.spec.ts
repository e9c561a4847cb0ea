import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { FakeClock } from '@svc/testing';
import { type AuthUnderTest, OWNER, startAuth } from '../testing/auth-under-test';
import { passGuesses } from '../testing/pass-guesses';
import { Visitor } from '../testing/visitor';

const LOGIN = '/auth/login';

let test: TestDatabase;
let auth: AuthUnderTest;
let visitor: Visitor;
beforeAll(async () => {
  test = await openTestDatabase();
  auth = await startAuth({ database: test.database, clock: new FakeClock() });
  visitor = new Visitor(auth.url);
});
afterAll(async () => {
  await auth.close();
  await test.close();
});

describe('an unknown account', () => {
  it('takes as long as a wrong password', async () => {
    const timesMs = { known: [] as number[], unknown: [] as number[] };
    for (let time = 0; time < 12; time++) {
      for (const [kind, email] of [
        ['known', OWNER.email],
        ['unknown', `nobody-${String(time)}@example.com`],
      ] as const) {
        const startedAt = performance.now();
        expect((await visitor.postJson(LOGIN, { email, password: 'wrong' })).status).toBe(401);
        timesMs[kind].push(performance.now() - startedAt);
        await passGuesses(test.database, 60_000);
      }
    }
    // The fastest times vary least on a busy machine. Without a hash to compare, the ratio is a tenth.
    const ratio = Math.min(...timesMs.unknown) / Math.min(...timesMs.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(4);
  });
});
