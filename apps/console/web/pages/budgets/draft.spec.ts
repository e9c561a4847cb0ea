import { basisPoints, emptyDraft, missingIn, newBudgetOf, percentOf } from './draft';

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
    const scope = { scope: 'project', projectId: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' } as const;
    expect(newBudgetOf({ ...draft, ...scope })).toMatchObject({ scope_id: scope.projectId });
    expect(newBudgetOf({ ...draft, scope: 'project' })).toBeNull();
  });

  it('tells what is missing', () =>
    expect([...missingIn({ ...emptyDraft, warnAt: 'x', scope: 'api_key' })]).toEqual([
      'name',
      'scope',
      'amount',
      'warnAt',
    ]));
});
