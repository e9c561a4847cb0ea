import {
  allRestingError,
  chooseCredentials,
  firstDue,
  mainCredential,
  type CredentialStanding,
} from './credential-choice';
import { type Rest } from './credential-health';
import { type OrderedCredential } from './credential-order';

const rest = (changes: Partial<Rest> = {}): Rest => ({
  kind: 'rate_limit',
  sinceMs: 0,
  untilMs: 10_000,
  trialAtMs: 10_000,
  count: 1,
  ...changes,
});
const refused = (trialAtMs: number): Rest => rest({ kind: 'refused', untilMs: null, trialAtMs });
const forbidden = rest({ kind: 'forbidden' });

const standing = (key: string, itsRest: Rest | null = null): CredentialStanding<OrderedCredential> => ({
  credential: { key, weight: 100 },
  rest: itsRest,
  headroomBps: null,
});

describe('the credentials that a call tries at an endpoint', () => {
  it('are at most three of those that do not rest', () => {
    const standings = ['a', 'b', 'c', 'd', 'e'].map((key) => standing(key));
    const { tried, resting } = chooseCredentials([...standings, standing('f', rest())], 'session');
    expect(tried).toHaveLength(3);
    expect(tried.map(({ key }) => key)).not.toContain('f');
    expect(resting).toMatchObject([{ credential: { key: 'f' } }]);
  });

  it('have one with little headroom last', () => {
    for (const low of ['a', 'b']) {
      const standings = ['a', 'b'].map((key) => ({
        ...standing(key),
        headroomBps: key === low ? 499 : null,
      }));
      expect(chooseCredentials(standings, 'session').tried.at(-1)).toMatchObject({ key: low });
    }
  });

  it('are none where there is none', () => {
    expect(chooseCredentials([], 'session')).toEqual({ tried: [], resting: [] });
  });
});

it('the main credential is the first that has a weight, else the first', () => {
  const [spare, other, weighty] = [{ weight: 0 }, { weight: 0 }, { weight: 1 }];
  expect(mainCredential([spare, weighty])).toBe(weighty);
  expect(mainCredential([other, spare])).toBe(other);
  expect(mainCredential([])).toBeUndefined();
});

describe('a call for which every credential rests', () => {
  it('is told the shortest wait of a rate limit', () => {
    const rests = [rest({ untilMs: 9_000 }), rest({ untilMs: 4_000 }), refused(1_500), forbidden];
    expect(allRestingError(rests, 1_000)).toMatchObject({ reason: 'providerRateLimit', retryAfterMs: 3_000 });
  });

  it('is a failure of the provider where it limits no rate', () => {
    expect(allRestingError([forbidden, refused(1)], 0)).toMatchObject({ reason: 'providerError' });
  });

  it('tries the one that is due first where all are refused, and none where one cools', () => {
    const resting = (one: Rest) => ({ rest: one });
    expect(firstDue([resting(refused(9)), resting(refused(3)), resting(refused(5))])).toEqual({
      rest: refused(3),
    });
    expect(firstDue([resting(refused(9)), resting(forbidden)])).toBeUndefined();
    expect(firstDue([])).toBeUndefined();
  });
});
