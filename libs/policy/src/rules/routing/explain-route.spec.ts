import fc from 'fast-check';

import { type Policy } from '../policy/policy';
import { constraints } from './constraints';
import { modelUnavailability, unavailability } from './exclusions';
import { explainRoute } from './explain-route';
import { planRoute } from './plan-route';
import {
  anthropic,
  arbitraryRouting,
  callOf,
  endpoint,
  factsOf,
  keyed,
  modelOf,
  open,
  type Circumstances,
} from './testing/arbitrary-routing';

const policyName = 'policy version 7';
const explained = (
  endpoints: Parameters<typeof factsOf>[0],
  circumstances?: Circumstances,
  call?: Parameters<typeof callOf>[0],
) => explainRoute(callOf(call), { ...factsOf(endpoints, circumstances), policyName });
const reasons = (...asked: Parameters<typeof explained>) =>
  explained(...asked).excluded.map(({ constraint, field, message }) => [constraint, field, message]);

describe('an explanation', () => {
  it.each<[Partial<Policy>, string, string, string]>([
    [{ deniedModels: new Set(['acme/small']) }, 'model', 'denied_models', 'model acme/small'],
    [{ allowedModels: new Set() }, 'model', 'allowed_models', 'model acme/small'],
    [{ deniedProviders: new Set(['open']) }, 'provider', 'denied_providers', 'provider open'],
    [{ allowedProviders: new Set() }, 'provider', 'allowed_providers', 'provider open'],
    [{ deniedRegions: new Set(['us']) }, 'region', 'denied_regions', 'region us'],
    [{ allowedRegions: new Set(['eu']) }, 'region', 'allowed_regions', 'region us'],
    [{ requireZeroRetention: true }, 'data_retention', 'require_zero_retention', 'open keeps data'],
  ])('of the policy %j names the field, the policy and what it denies', (policy, constraint, field, what) => {
    const endpoints = [endpoint('a', { region: 'us', dataRetention: 'retained' })];
    expect(reasons(endpoints, { policy })).toEqual([
      [constraint, field, `Denied by policy version 7: ${what}.`],
    ]);
  });

  it('tells a missing credential from one that the policy does not use', () => {
    const endpoints = [endpoint('a', { provider: keyed })];
    expect(reasons(endpoints)).toEqual([['credential', null, 'No credential for keyed.']]);
    expect(reasons(endpoints, { platform: ['keyed'], policy: { credentialMode: 'own_only' } })).toEqual([
      [
        'credential_mode',
        'credential_mode',
        'Denied by policy version 7: only own credentials are used, and there is none for keyed.',
      ],
    ]);
  });

  it('names what an endpoint does not serve, and that its circuit is open', () => {
    const messagesOnly = endpoint('a', { operations: new Set(['messages']) });
    const seedless = endpoint('b', { parameters: ['top_p'] });
    expect(reasons([messagesOnly])).toEqual([
      ['operation', 'operation', 'Not served on POST /v1/chat/completions.'],
    ]);
    expect(reasons([seedless], {}, { parameters: ['seed'], compatMode: 'strict' })).toEqual([
      ['parameters', 'seed', 'A strict call needs what it does not support: `seed`.'],
    ]);
    expect(reasons([seedless], { openCircuits: ['b'] })).toEqual([
      ['circuit', null, 'Its circuit is open after failures in a row.'],
    ]);
  });

  it('says which eligible endpoints no attempt reaches', () => {
    const endpoints = ['a', 'b', 'c'].map((id) => endpoint(id));
    expect(reasons(endpoints, { policy: { maxAttempts: 1 } })).toEqual(
      ['b', 'c'].map(() => [
        'max_attempts',
        'max_attempts',
        'Not reached: a call tries 1 endpoint by policy version 7.',
      ]),
    );
  });

  it('says which rule placed each attempt', () => {
    const placed = (...asked: Parameters<typeof explained>) =>
      explained(...asked).attempts.map(({ endpoint: { id }, placedBy }) => `${id}:${String(placedBy)}`);
    expect(placed([endpoint('a')])).toEqual(['a:null']);
    expect(placed([endpoint('a'), endpoint('b')])).toEqual(['a:catalog_order', 'b:catalog_order']);
    expect(placed([endpoint('a', { price: 2 }), endpoint('b')])).toEqual(['b:price', 'a:price']);
    expect(
      placed(
        [endpoint('a', { provider: anthropic }), endpoint('b', { parameters: ['top_p'] }), endpoint('c')],
        {},
        { parameters: ['seed'] },
      ),
    ).toEqual(['c:native_protocol', 'a:native_protocol', 'b:parameters']);
    expect(placed([endpoint('a')], { own: ['open'] })).toEqual(['a:own_credential', 'a:own_credential']);
    const figures = { a: { latencyMs: 9, tokensPerSecond: 1 }, b: { latencyMs: 5, tokensPerSecond: 9 } };
    for (const sort of ['latency', 'throughput'] as const) {
      const circumstances = { policy: { sort }, figures };
      expect(placed([endpoint('a'), endpoint('b')], circumstances)).toEqual([`b:${sort}`, `a:${sort}`]);
    }
  });

  it('of a model that the catalog lacks is its refusal alone', () => {
    const { attempts, excluded, refusal } = explained([], {}, { modelId: 'acme/none' });
    expect([attempts, excluded, refusal?.reason]).toEqual([[], [], 'notFound']);
  });
});

describe('whatever the circumstances, an explanation', () => {
  it('has the plan or the refusal of the planner', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const facts = { ...factsOf(endpoints, circumstances), policyName };
        const { attempts, refusal } = explainRoute(call, facts);
        expect(attempts.length > 0).toBe(refusal === null);
        if (refusal === null) {
          const { attempts: planned } = planRoute(call, facts);
          expect(attempts.map(({ placedBy: _, ...attempt }) => attempt)).toEqual(planned);
        } else expect(() => planRoute(call, facts)).toThrow(refusal.message);
      }),
    );
  });

  it('has each endpoint once: planned, or excluded by the first constraint that does not admit it', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const facts = { ...factsOf(endpoints, circumstances), policyName };
        const { attempts, excluded } = explainRoute(call, facts);
        const planned = new Set(attempts.map(({ endpoint: { id } }) => id));
        const left = excluded.map(({ endpoint: { id } }) => id);
        expect([...planned, ...left].toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
        for (const { endpoint: one, constraint, message } of excluded) {
          const failed = constraints.find(({ admits }) => !admits(one, call, facts));
          expect(constraint).toBe(failed?.name ?? 'max_attempts');
          expect(message).toMatch(/^\S.*\.$/);
        }
      }),
    );
  });

  it('names as unavailable what no call may use, with every reason', () => {
    fc.assert(
      fc.property(arbitraryRouting, ({ endpoints, circumstances, call }) => {
        const facts = { ...factsOf(endpoints, circumstances), policyName };
        const open = { ...facts, openCircuits: new Set<string>() };
        const anyCall = callOf({ operation: call.operation });
        const usable = endpoints.filter((one) => unavailability(one, facts).length === 0);
        const admitted = endpoints.filter((one) =>
          constraints.every(({ admits }) => admits(one, anyCall, open)),
        );
        expect(usable).toEqual(admitted);
        expect(modelUnavailability(modelOf(endpoints), facts).length === 0).toBe(usable.length > 0);
      }),
    );
  });

  it('names the provider that has no credential once, for all its endpoints', () => {
    const model = modelOf([endpoint('a', { provider: keyed }), endpoint('b', { provider: keyed })]);
    const facts = { ...factsOf([]), policyName };
    expect(modelUnavailability(model, facts)).toEqual([
      { constraint: 'credential', field: null, message: 'No credential for keyed.' },
    ]);
    expect(modelUnavailability(modelOf([endpoint('c', { provider: open })]), facts)).toEqual([]);
    expect(modelUnavailability(modelOf([]), facts)).toMatchObject([{ constraint: 'endpoints' }]);
  });
});
