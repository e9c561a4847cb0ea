import { type ModelEndpoint, type PricePerToken } from '@svc/catalog';
import { type Operation } from '@svc/protocol';
import { type Policy } from '../policy/policy';
import { leavesChoice } from './leaves-choice';
import { endpoint, factsOf, keyed, modelOf } from './testing/arbitrary-routing';

const caching = (id: string, more: Parameters<typeof endpoint>[1] = {}): ModelEndpoint => {
  const made = endpoint(id, more);
  return { ...made, prices: { ...made.prices, cachedInput: 1n as PricePerToken } };
};

describe('a model', () => {
  const leaves = (
    endpoints: readonly ModelEndpoint[],
    {
      own = 0,
      platform = 1,
      policy = {},
    }: { own?: number; platform?: number; policy?: Partial<Policy> } = {},
  ) => {
    const facts = factsOf(endpoints, {
      policy,
      own: own > 0 ? ['keyed'] : [],
      platform: platform > 0 ? ['keyed'] : [],
    });
    const poolSizeOf = (_: ModelEndpoint, source: 'own' | 'platform') => (source === 'own' ? own : platform);
    return leavesChoice(modelOf(endpoints), 'chat_completions', facts, poolSizeOf);
  };
  const atKeyed = caching('a', { provider: keyed });

  it('leaves no choice with one endpoint and one credential of each owner', () => {
    expect(leaves([caching('a')])).toBe(false);
    expect(leaves([atKeyed])).toBe(false);
    expect(leaves([atKeyed], { own: 1 })).toBe(false);
    expect(leaves([])).toBe(false);
  });

  it('leaves one with several credentials of one owner, or several endpoints', () => {
    expect(leaves([atKeyed], { platform: 2 })).toBe(true);
    expect(leaves([atKeyed], { own: 2 })).toBe(true);
    expect(leaves([caching('a'), caching('b')])).toBe(true);
  });

  it('leaves none where no endpoint is one that conversations return to', () => {
    expect(leaves([endpoint('a'), endpoint('b')])).toBe(false);
    expect(leaves([endpoint('a'), caching('b')])).toBe(true);
    expect(leaves([endpoint('a'), endpoint('b')], { policy: { affinity: 'always' } })).toBe(true);
    expect(leaves([caching('a'), caching('b')], { policy: { affinity: 'off' } })).toBe(false);
  });

  it('leaves none where the policy, the route or a missing credential leave one place', () => {
    const two = [caching('a'), caching('b', { region: 'us' })];
    expect(leaves(two, { policy: { deniedRegions: new Set(['us']) } })).toBe(false);
    const embeds = caching('b', { operations: new Set<Operation>(['embeddings']) });
    expect(leaves([caching('a'), embeds])).toBe(false);
    expect(leaves([caching('a'), atKeyed], { platform: 0 })).toBe(false);
  });
});
