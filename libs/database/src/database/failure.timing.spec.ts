import { failureKind, refusalFor } from './failure';
import { DistantDatabase } from './testing/distant-database';

/** A caller is promised an answer within 5 s. */
const PROMISED_MS = 5_000;

let distant: DistantDatabase;
beforeEach(async () => {
  distant = await DistantDatabase.open();
});
afterEach(() => distant.close());

describe('a server that falls silent', () => {
  it.each(['idle', 'new'])('on %s connections is a 503 within 5 s, whoever asks', async (kind) => {
    if (kind === 'idle') await distant.askAll();
    distant.proxy.silence();
    const startedAt = performance.now();
    const failures = await distant.askAll();
    expect(performance.now() - startedAt).toBeLessThan(PROMISED_MS);
    for (const failure of failures) {
      expect(failureKind(failure)).toBe('connection');
      expect(refusalFor(failure)).toMatchObject({ reason: 'overloaded', cause: failure });
    }
  });
});
