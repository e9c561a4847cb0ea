import { type Catalog } from '@svc/catalog';
import { endpoint, keyed, modelId, modelOf, open } from '../routing/testing/arbitrary-routing';
import { readPolicyDocument } from '../policy/policy-document';
import { type KnownRollout, rolloutChanges } from './rollout-changes';

const catalog: Pick<Catalog, 'providers' | 'models'> = {
  providers: new Map([open, keyed].map((provider) => [provider.name, provider])),
  models: new Map([[modelId, modelOf([endpoint('open-eu')])]]),
};
const written = (name: string, more: object = {}) => ({
  name,
  model: modelId,
  to: { provider: 'keyed' },
  share_bps: 500,
  by: 'end_user',
  ...more,
});
const documents = (...rollouts: object[]) => readPolicyDocument({ rollouts }).rollouts;
const known = (name: string, isRunning = true): KnownRollout => ({
  ...{ id: `rol_${name}`, name, model: modelId, to: { provider: 'keyed' }, by: 'end_user' },
  isRunning,
});
const refused = (change: () => unknown) => {
  try {
    change();
  } catch (error) {
    return (error as { param: string }).param;
  }
  return undefined;
};

describe('a version of the policy', () => {
  it('starts what it names for the first time, keeps what runs, and removes what it does not name', () => {
    const changes = rolloutChanges(
      documents(written('new'), written('kept', { share_bps: 2_000 })),
      [known('kept'), known('left-out')],
      catalog,
    );
    expect(changes).toMatchObject({
      started: [{ name: 'new' }],
      kept: [{ id: 'rol_kept', document: { share_bps: 2_000 } }],
      removed: ['rol_left-out'],
    });
  });

  it('leaves what has ended as it is', () => {
    const changes = rolloutChanges(documents(written('ended')), [known('ended', false)], catalog);
    expect(changes).toEqual({ started: [], kept: [], removed: [] });
  });

  it.each([
    ['rollouts[0].model', { model: 'acme/large' }],
    ['rollouts[0].by', { by: 'session' }],
    ['rollouts[0].to', { to: { provider: 'open' } }],
    ['rollouts[0].to', { to: { provider: 'keyed', region: 'eu' } }],
  ])('cannot change %s under a name, whether the rollout runs or has ended', (param, more) => {
    for (const isRunning of [true, false]) {
      const change = () =>
        rolloutChanges(documents(written('one', more)), [known('one', isRunning)], catalog);
      expect(refused(change)).toBe(param);
    }
  });

  it.each([
    ['rollouts[1].to.provider', { provider: 'nobody' }],
    ['rollouts[1].to.region', { region: 'mars' }],
  ])('cannot start one whose %s the catalog does not have', (param, to) => {
    const change = () => rolloutChanges(documents(written('a'), written('b', { to })), [], catalog);
    expect(refused(change)).toBe(param);
    const kept = { ...known('b'), to };
    expect(refused(() => rolloutChanges(documents(written('b', { to })), [kept], catalog))).toBeUndefined();
  });

  it('has at most 20 that have not ended', () => {
    const names = Array.from({ length: 20 }, (_, at) => String(at));
    const many = [...names, 'ended'].map((name) => written(name));
    expect(rolloutChanges(documents(...many), [known('ended', false)], catalog).started).toHaveLength(20);
    expect(refused(() => rolloutChanges(documents(...many), [], catalog))).toBe('rollouts');
  });
});

describe('the field `rollouts`', () => {
  it('has defaults', () => {
    expect(documents(written('a', { abort: { min_calls: 7 } }), written('b'))).toMatchObject([
      { ends_at: null, abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 7 } },
      { abort: { max_error_rate_bps: 500, max_ttft_p95_ms: null, min_calls: 50 } },
    ]);
  });

  it.each([
    ['rollouts[0].name', { name: '' }],
    ['rollouts[0].model', { model: 'small' }],
    ['rollouts[0].to', { to: {} }],
    ['rollouts[0].to', { to: undefined }],
    ['rollouts[0].to.model', { to: { model: 7 } }],
    ['rollouts[0].to.zone', { to: { zone: 'a' } }],
    ['rollouts[0].share_bps', { share_bps: 10_001 }],
    ['rollouts[0].share_bps', { share_bps: 0.5 }],
    ['rollouts[0].by', { by: 'project' }],
    ['rollouts[0].ends_at', { ends_at: 'tomorrow' }],
    ['rollouts[0].abort.max_error_rate_bps', { abort: { max_error_rate_bps: 0 } }],
    ['rollouts[0].abort.max_ttft_p95_ms', { abort: { max_ttft_p95_ms: 0 } }],
    ['rollouts[0].abort.min_calls', { abort: { min_calls: 100_001 } }],
    ['rollouts[0].abort', { abort: null }],
    ['rollouts[0].weight', { weight: 1 }],
  ])('names %s as wrong in %j', (param, more) => {
    expect(refused(() => documents(written('a', more)))).toBe(param);
  });

  it('has each name once', () => {
    expect(refused(() => documents(written('a'), written('b'), written('a')))).toBe('rollouts[2].name');
  });
});
