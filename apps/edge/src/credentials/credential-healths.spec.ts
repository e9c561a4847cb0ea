import { type CredentialHealthChange } from '@svc/database';
import { FakeClock } from '@svc/testing';
import { CredentialHealths } from './credential-healths';
import { CredentialPool, type PoolMember } from './credential-pool';
import { ToldHealth } from './told-health';

const HERE = 'acme/small|acme|eu|small-1';
const THERE = 'acme/large|acme|eu|large-1';
const MINUTE_MS = 60_000;

const member = (id: string, changes: Partial<PoolMember> = {}): PoolMember => ({
  id,
  secret: `secret of ${id}`,
  key: id,
  provider: 'acme',
  weight: 100,
  healthEpoch: 0,
  healthKey: `${id}:0`,
  rateLimit: null,
  ...changes,
});
const [first, second] = [member('cred_1'), member('cred_2', { weight: 0 })];
const pool = new CredentialPool([first, second]);

let clock: FakeClock;
let healths: CredentialHealths;
let reports: [endpointId: string | null, isNews: boolean][];
beforeEach(() => {
  clock = new FakeClock();
  healths = new CredentialHealths(clock);
  reports = [];
  healths.watch((_, endpointId, isNews) => void reports.push([endpointId, isNews]));
});

const call = (headers: Record<string, string> = {}, endpointId = HERE) => ({
  endpointId,
  sentAtMs: clock.now(),
  headers,
});
const triedAt = (endpointId = HERE) => healths.choose(pool, endpointId, 'session').tried.map(({ id }) => id);
const lowRoom = { 'x-ratelimit-limit-tokens': '1000', 'x-ratelimit-remaining-tokens': '10' };

describe('the credentials that a call is planned with', () => {
  it('are all of a pool, the spare last, and no choice where there is one', () => {
    expect(triedAt()).toEqual(['cred_1', 'cred_2']);
    const only = new CredentialPool([first]);
    expect(healths.choose(only, HERE, 'session')).toBe(only.whole);
  });

  it('leave out one that cools, at that endpoint only, until its time is over', () => {
    healths.refused(first, 'rate_limit', call({ 'retry-after': '30' }));
    expect([triedAt(), triedAt(THERE)]).toEqual([['cred_2'], ['cred_1', 'cred_2']]);
    const { resting } = healths.choose(pool, HERE, 'session');
    expect(resting).toMatchObject([{ credential: { id: 'cred_1' }, rest: { kind: 'rate_limit' } }]);
    clock.advance(30_000);
    expect(triedAt()).toEqual(['cred_1', 'cred_2']);
  });

  it('have those with little headroom after others of their weight', () => {
    const [a, b] = [member('cred_1'), member('cred_2')];
    const even = new CredentialPool([a, b]);
    for (const low of [a, b]) {
      healths = new CredentialHealths(clock);
      healths.succeeded(low, call(lowRoom));
      expect(healths.choose(even, HERE, 'session').tried.at(-1)).toBe(low);
    }
  });
});

describe('a trial', () => {
  it('is one call, however many ask', () => {
    healths.refused(first, 'refused', call());
    clock.advance(5 * MINUTE_MS);
    const passed = Array.from({ length: 5 }, () => healths.pass(first, HERE, false) === null);
    expect(passed).toEqual([true, false, false, false, false]);
  });

  it('ends the rest when it succeeds', () => {
    healths.refused(first, 'refused', call());
    clock.advance(5 * MINUTE_MS);
    healths.pass(first, HERE, false);
    healths.succeeded(first, call());
    expect(healths.pass(first, THERE, false)).toBeNull();
    expect(triedAt(THERE)).toEqual(['cred_1', 'cred_2']);
  });
});

it('a credential with another secret is healthy', () => {
  healths.refused(first, 'refused', call());
  healths.forget(first);
  expect(triedAt()).toEqual(['cred_1', 'cred_2']);
  healths.refused(first, 'refused', call());
  const rotated = new CredentialPool([member('cred_1', { healthEpoch: 1, healthKey: 'cred_1:1' })]);
  expect(healths.choose(rotated, HERE, 'session')).toBe(rotated.whole);
});

describe('a change', () => {
  it('is reported as news where a rest begins or ends, and not for headroom or late answers', () => {
    healths.succeeded(first, call(lowRoom));
    healths.succeeded(first, call());
    const early = call({ 'retry-after': '30' });
    clock.advance(10);
    healths.refused(first, 'rate_limit', call({ 'retry-after': '30' }));
    clock.advance(10);
    healths.refused(first, 'rate_limit', early);
    healths.refused(first, 'refused', call());
    expect(healths.knownOf(first, HERE)).toMatchObject({
      rest: { kind: 'rate_limit' },
      headroom: { bps: 100 },
    });
    expect(healths.knownOf(first, null)).toMatchObject({ rest: { kind: 'refused' }, headroom: null });
    clock.advance(5 * MINUTE_MS);
    healths.succeeded(first, call());
    expect(healths.knownOf(first, null)).toEqual({ rest: null, headroom: null });
    expect(reports).toEqual([
      [HERE, false],
      [HERE, true],
      [HERE, false],
      [null, true],
      [null, true],
      [HERE, true],
    ]);
  });

  it('that another edge tells holds here too, and one that this edge told is known', () => {
    const told: CredentialHealthChange = {
      of: 'credentialHealth',
      edgeInstanceId: 'edge_2',
      credential: 'cred_1',
      healthEpoch: 0,
      endpointId: HERE,
      rest: 'rate_limit',
      restsForMs: 30_000,
      trialInMs: 30_000,
    };
    const feed = new ToldHealth(healths, 'edge_1');
    feed.invalidate({ ...told, edgeInstanceId: 'edge_1' });
    feed.invalidate({ ...told, healthEpoch: 1 });
    feed.invalidate({ of: 'anything' });
    expect(triedAt()).toEqual(['cred_1', 'cred_2']);
    feed.invalidate(told);
    expect([triedAt(), triedAt(THERE)]).toEqual([['cred_2'], ['cred_1', 'cred_2']]);
    feed.invalidate({ ...told, endpointId: null, rest: 'refused', restsForMs: null });
    expect(triedAt(THERE)).toEqual(['cred_2']);
    feed.invalidate({ ...told, endpointId: null, rest: null, restsForMs: null, trialInMs: null });
    expect([triedAt(), triedAt(THERE)]).toEqual([['cred_2'], ['cred_1', 'cred_2']]);
    feed.invalidate({ ...told, rest: null, restsForMs: null, trialInMs: null });
    expect(triedAt()).toEqual(['cred_1', 'cred_2']);
    expect(reports).toEqual([]);
  });
});
