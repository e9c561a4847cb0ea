import { basisPoints, emptyDraft, missingIn, newBudgetOf, ofScope, percentOf } from './draft';

describe('a percentage', () => {
  it.each([
    ['80', 8_000],
    ['82.5', 8_250],
    ['0.01', 1],
    ['100 %', 10_000],
  ])('%s is so many basis points', (typed, points) => {
    expect(basisPoints(typed)).toBe(points);
  });

  it.each(['', '0', '100.01', '1.234', '-1', 'many'])('is not "%s"', (typed) =>
    expect(basisPoints(typed)).toBeNull(),
  );

  it('comes back as it was', () => expect(basisPoints(percentOf(8_251))).toBe(8_251));
});

describe('a new budget', () => {
  const draft = { ...emptyDraft, name: ' Of a spec ', amount: '10.000000001' };

  it('is sent with all its nanos', () =>
    expect(newBudgetOf(draft)).toMatchObject({ name: 'Of a spec', amount_nanos: 10_000_000_001n }));

  it('names what it is of, but for the whole organization', () => {
    expect(newBudgetOf(draft)).not.toHaveProperty('scope_id');
    const scope = { scope: 'project', scopeId: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' } as const;
    expect(newBudgetOf({ ...draft, ...scope })).toMatchObject({ scope_id: scope.scopeId });
    expect(newBudgetOf({ ...draft, scope: 'project' })).toBeNull();
    expect(newBudgetOf({ ...draft, scope: 'end_user', scopeId: '  ' })).toBeNull();
    expect(newBudgetOf({ ...draft, scope: 'end_user', scopeId: ' ana ' })).toMatchObject({ scope_id: 'ana' });
  });

  it('gives each end user an amount unless one is named, and forgets what the scope before had', () => {
    const of = { ...draft, scope: 'api_key', scopeId: 'key_06dpm2q4x8k3c0v9r7t5w1hzny' } as const;
    expect(newBudgetOf({ ...of, ...ofScope('end_user') })).toMatchObject({
      scope: 'end_user',
      scope_id: '*',
    });
    expect(newBudgetOf({ ...of, ...ofScope('member') })).toBeNull();
  });

  it('counts the calls of one project alone where one is chosen', () => {
    const projectId = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
    const of = { ...draft, ...ofScope('end_user') };
    expect(newBudgetOf(of)).not.toHaveProperty('project_id');
    expect(newBudgetOf({ ...of, projectId })).toMatchObject({ scope_id: '*', project_id: projectId });
  });

  it('tells what is missing', () =>
    expect([...missingIn({ ...emptyDraft, warnAt: 'x', scope: 'api_key' })]).toEqual([
      'name',
      'scope',
      'amount',
      'warnAt',
    ]));
});
