import { FakeClock } from '@svc/testing';
import { OperatorGuesses } from './operator-guesses';

const HERE = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

/** @returns how many of these guesses are let through. */
function guess(guesses: OperatorGuesses, address: string, times: number): number {
  let judged = 0;
  for (let time = 0; time < times; time++) {
    try {
      guesses.requireRoom(address);
    } catch (error) {
      expect(error).toMatchObject({ reason: 'rateLimit' });
      expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(0);
      continue;
    }
    judged += 1;
    guesses.count(address);
  }
  return judged;
}

it('guesses at the operator’s token are few from one address, and one more each second', () => {
  const clock = new FakeClock();
  const guesses = new OperatorGuesses(clock);
  expect(guess(guesses, HERE, 1_000)).toBe(60);
  expect(guess(guesses, ELSEWHERE, 1)).toBe(1);
  clock.advance(999);
  expect(guess(guesses, HERE, 10)).toBe(0);
  clock.advance(1);
  expect(guess(guesses, HERE, 10)).toBe(1);
  clock.advance(60_000);
  expect(guess(guesses, HERE, 1_000)).toBe(60);
});
