import fc from 'fast-check';
import { idOf, oneOf, readAddress, several, text, whole } from './address';
import { choice, createdWithin, declareList, someChoice, word, yesNo } from './list';

const list = declareList({
  q: word(text),
  state: choice(['active', 'revoked']),
  project: word(idOf('project'), 'project_id'),
  kind: word(several(oneOf('charge', 'refund'))),
  enabled: yesNo(),
  least: word(whole(1), 'attempts_min'),
  shown: word(oneOf('all', 'open'), 'state_of_it', (asked = 'open') => (asked === 'all' ? undefined : asked)),
  ...createdWithin,
});
const read = (search: Record<string, string>) => readAddress(list.address, search).values;

describe('a list that is declared once', () => {
  it('reads its filters of the address, and drops what the API would refuse', () => {
    expect(readAddress(list.address, { q: 'a', state: 'paused', enabled: 'true', colour: 'red' })).toEqual({
      values: { q: 'a', enabled: true },
      dropped: ['state', 'colour'],
    });
  });

  it('asks the API by the names and in the forms that it takes', () => {
    const project = 'proj_06dpm2q4x8k3c0v9r7t5w1hzny';
    const after = '2026-11-22T10:00:00Z';
    const search = read({
      project,
      kind: 'charge,refund',
      enabled: 'false',
      least: '2',
      shown: 'all',
      after,
    });
    expect(list.queryOf(search)).toEqual({
      project_id: project,
      kind: 'charge,refund',
      enabled: 'false',
      attempts_min: 2,
      created_after: after,
    });
  });

  it('asks for what is shown where the address says nothing', () => {
    expect(list.queryOf({})).toEqual({ state_of_it: 'open' });
  });

  it('is filtered exactly where one of its own filters is set', () => {
    const isSet = (search: object) => list.valuesOf(search).some((value) => value !== undefined);
    expect(isSet({ tab: 'rules', create: true })).toBe(false);
    fc.assert(fc.property(fc.constantFrom(...Object.keys(list.filters)), (name) => isSet({ [name]: 'x' })));
  });

  it('offers its choices in the order in which they are declared', () => {
    expect(list.filters.state.choices).toEqual(['active', 'revoked']);
    expect(someChoice(['b', 'a']).choices).toEqual(['b', 'a']);
  });
});
