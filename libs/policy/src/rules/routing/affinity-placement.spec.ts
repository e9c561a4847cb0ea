import { type Catalog } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import fc from 'fast-check';
import { chooseCredentials } from '../credentials/credential-choice';
import { planRoute } from './plan-route';
import { type PlannedAttempt } from './planned-attempt';
import { type CredentialPools, type RoutingCall, type RoutingFacts } from './routing-facts';
import {
  arbitraryRouting,
  callOf,
  endpoint,
  factsOf,
  keyed,
  type Circumstances,
} from './testing/arbitrary-routing';
import { type AffinityEntry, affinityEntryOf } from '../affinity/affinity-entry';

const ALWAYS = { affinity: 'always' } as const;
const isAt = (one: AffinityEntry) => (attempt: PlannedAttempt) =>
  JSON.stringify(affinityEntryOf(attempt)) === JSON.stringify(one);

interface Known {
  readonly key: string;
  readonly weight?: number;
  readonly headroomBps?: number;
}

/** The same credentials of each owner at every endpoint. */
const poolsOf = (
  own: readonly Known[],
  platform: readonly Known[] = [{ key: 'platform' }],
): CredentialPools => ({
  choose: (_, source, preferredKey) =>
    chooseCredentials(
      (source === 'own' ? own : platform).map(({ key, weight = 100, headroomBps = null }) => ({
        credential: { key, weight },
        rest: null,
        headroomBps,
      })),
      'conversation',
      preferredKey,
    ),
  now: () => 0,
});
const FIVE = ['c1', 'c2', 'c3', 'c4', 'c5'].map((key): Known => ({ key }));

const planned = (
  facts: RoutingFacts & { catalog: Catalog },
  affinity: AffinityEntry | null,
  call: RoutingCall = callOf(),
) => planRoute(call, { ...facts, affinity }).attempts;
const placesOf = (attempts: readonly PlannedAttempt[]) =>
  attempts.map(({ endpoint: { id }, pooled }) => `${id}:${pooled?.key ?? ''}`);

describe('where a conversation was answered last', () => {
  it('only changes the order of the plan: it adds nothing, leaves nothing out, and all others keep their order', () => {
    fc.assert(
      fc.property(arbitraryRouting, fc.nat(), ({ endpoints, circumstances, call }, nth) => {
        const policy = { ...circumstances.policy, ...ALWAYS, maxAttempts: null };
        const facts = { ...factsOf(endpoints, { ...circumstances, policy }), credentials: poolsOf(FIVE) };
        const without = plannedOrNull(facts, null, call);
        if (without === null) return;
        const entry = affinityEntryOf(without[nth % without.length]!);
        const attempts = planned(facts, entry, call);
        expect(placesOf(attempts).toSorted()).toEqual(placesOf(without).toSorted());
        const pinned = attempts.findIndex(isAt(entry));
        const moved = (one: PlannedAttempt) => one.affinity !== undefined;
        expect(placesOf(attempts.filter((one) => !moved(one)))).toEqual(
          placesOf(without.filter((one) => !attempts.some((other) => moved(other) && isSame(one, other)))),
        );
        for (const before of attempts.slice(0, pinned))
          expect(comesFirst(before, attempts[pinned]!)).toBe(true);
      }),
    );
  });

  const isSame = (one: PlannedAttempt, other: PlannedAttempt) =>
    one.credential === other.credential && placesOf([one])[0] === placesOf([other])[0];
  const comesFirst = (one: PlannedAttempt, other: PlannedAttempt) =>
    one.losses.length < other.losses.length || (one.credential === 'own' && other.credential !== 'own');

  it('is nothing where it is not in the plan', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const policy = { ...circumstances.policy, ...ALWAYS };
        const facts = { ...factsOf(endpoints, { ...circumstances, policy }), credentials: poolsOf(FIVE) };
        const without = plannedOrNull(facts, null, call);
        for (const entry of [
          { endpointId: 'gone', credential: 'c1' },
          { endpointId: '0', credential: 'gone' },
        ])
          expect(plannedOrNull(facts, entry, call)).toEqual(without);
      }),
    );
  });

  it('comes before the price, with its other credentials behind it', () => {
    const facts = keyedAt({ a: 1, b: 2 }, FIVE.slice(0, 3));
    const attempts = planned(facts, { endpointId: 'b', credential: 'c2' });
    expect(placesOf(attempts)[0]).toBe('b:c2');
    expect(attempts.map(({ endpoint: { id }, affinity }) => [id, affinity])).toEqual([
      ['b', 'pinned'],
      ['b', 'beside'],
      ['b', 'beside'],
      ...Array.from({ length: 3 }, () => ['a', undefined]),
    ]);
  });

  it('is tried although three others come before it by hashing', () => {
    const facts = keyedAt({ a: 1 }, FIVE);
    const tried = placesOf(planned(facts, null));
    const left = FIVE.map(({ key }) => key).find((key) => !tried.includes(`a:${key}`))!;
    const attempts = placesOf(planned(facts, { endpointId: 'a', credential: left }));
    expect(attempts).toEqual([`a:${left}`, ...tried.slice(0, 2)]);
  });

  it.each<[string, Known, Known, boolean]>([
    ['has little headroom', { key: 'c1', headroomBps: 400 }, { key: 'c2' }, false],
    ['is a spare', { key: 'c1', weight: 0 }, { key: 'c2' }, false],
    [
      'has little headroom as the others',
      { key: 'c1', headroomBps: 1 },
      { key: 'c2', headroomBps: 400 },
      true,
    ],
    ['is a spare as the others', { key: 'c1', weight: 0 }, { key: 'c2', weight: 0 }, true],
  ])('is passed over where its credential %s, unless all are like it', (_, pinned, other, isFirst) => {
    const [first] = planned(keyedAt({ a: 1 }, [pinned, other]), { endpointId: 'a', credential: 'c1' });
    expect([first.pooled?.key === 'c1', first.affinity]).toEqual([isFirst, isFirst ? 'pinned' : undefined]);
  });

  it('comes after an own credential where it is the platform’s', () => {
    const facts = { ...keyedAt({ a: 1, b: 2 }, [{ key: 'c1' }], { platform: ['keyed'] }) };
    const attempts = planned(facts, { endpointId: 'b', credential: 'platform' });
    expect(placesOf(attempts)).toEqual(['a:c1', 'b:c1', 'b:platform', 'a:platform']);
  });

  it('is ignored where conversations do not return to the endpoint', () => {
    const facts = keyedAt({ a: 1, b: 2 }, [{ key: 'c1' }], { policy: { affinity: 'auto' } });
    expect(placesOf(planned(facts, { endpointId: 'b', credential: 'c1' }))).toEqual(['a:c1', 'b:c1']);
  });

  const keyedAt = (
    prices: Readonly<Record<string, number>>,
    own: readonly Known[],
    circumstances: Circumstances = {},
  ) => ({
    ...factsOf(
      Object.entries(prices).map(([id, price]) => endpoint(id, { provider: keyed, price })),
      { own: ['keyed'], policy: ALWAYS, ...circumstances },
    ),
    credentials: poolsOf(own),
  });

  function plannedOrNull(...asked: Parameters<typeof planned>) {
    try {
      return planned(...asked);
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError);
      return null;
    }
  }
});
