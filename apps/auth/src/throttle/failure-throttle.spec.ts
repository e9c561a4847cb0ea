import { GatewayError } from '@svc/kernel';
import { FakeClock } from '@svc/testing';
import { FailureThrottle, networkOf } from './failure-throttle';

const HERE = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

let clock: FakeClock;
let throttle: FailureThrottle;
beforeEach(() => {
  clock = new FakeClock();
  throttle = new FailureThrottle(clock);
});

function fail(subject: string, address: string, times = 1): void {
  for (let time = 0; time < times; time++) throttle.begin(subject, address);
}

/** How long a guess is asked to wait, in milliseconds; 0 when it is let through. */
function waitOf(subject: string, address: string): number {
  try {
    throttle.begin(subject, address);
    return 0;
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'rateLimit') return error.retryAfterMs ?? 0;
    throw error;
  }
}

describe('the failure throttle', () => {
  it('asks to wait after five failures, and lets one more through when it said', () => {
    fail('anna', HERE, 5);
    expect(waitOf('anna', HERE)).toBe(60_000);
    clock.advance(59_999);
    expect(waitOf('anna', HERE)).toBe(1);
    clock.advance(1);
    expect(waitOf('anna', HERE)).toBe(0);
    expect(waitOf('anna', HERE)).toBe(60_000);
  });

  it('never locks the owner out for what somebody does elsewhere', () => {
    fail('anna', ELSEWHERE, 5);
    expect(waitOf('anna', ELSEWHERE)).toBeGreaterThan(0);
    expect(waitOf('anna', HERE)).toBe(0);
  });

  it('limits an address that tries many subjects', () => {
    for (let at = 0; at < 30; at++) fail(`user-${String(at)}`, HERE);
    expect(waitOf('another', HERE)).toBe(10_000);
    expect(waitOf('another', ELSEWHERE)).toBe(0);
  });

  it('counts guesses that are not judged yet', () => {
    const guesses = Array.from({ length: 5 }, () => throttle.begin('anna', HERE));
    expect(waitOf('anna', HERE)).toBeGreaterThan(0);
    guesses[0]!.succeeded();
    expect(waitOf('anna', HERE)).toBe(0);
  });

  it('forgets a subject that succeeded, but not what else its address tried', () => {
    for (let at = 0; at < 29; at++) fail(`user-${String(at)}`, HERE);
    throttle.begin('attacker', HERE).succeeded();
    expect(waitOf('another', HERE)).toBe(0);
    expect(waitOf('another', HERE)).toBeGreaterThan(0);
  });

  it('does not count what it refused', () => {
    fail('anna', HERE, 5);
    for (let time = 0; time < 100; time++) waitOf('anna', HERE);
    expect(waitOf('anna', HERE)).toBe(60_000);
    expect(waitOf('berta', HERE)).toBe(0);
  });

  it('locks nobody out longer when the clock is set back', () => {
    fail('anna', HERE, 5);
    clock.advance(-3_600_000);
    expect(waitOf('anna', HERE)).toBe(60_000);
  });
});

describe('a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['fe80::1%eth0', 'fe80:0:0:0::'],
    ['', ''],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
