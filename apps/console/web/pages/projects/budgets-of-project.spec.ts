import { budgetsOfProject } from './budgets-of-project';
import { type Budget } from './project';

const PROJECT = 'proj_1';
const budget = (id: string, change: Partial<Budget>): Budget =>
  ({
    id,
    scope: 'project',
    scope_id: PROJECT,
    project_id: null,
    period: 'month',
    enabled: true,
    ...change,
  }) as Budget;
const idsOf = (budgets: readonly Budget[]) => budgetsOfProject(PROJECT, budgets).map(({ id }) => id);

describe('the budgets of a project', () => {
  it('are its own, those of each project, and those within it', () => {
    expect(
      idsOf([
        budget('own', {}),
        budget('of another', { scope_id: 'proj_2' }),
        budget('each', { scope_id: '*', period: 'week' }),
        budget('end users', { scope: 'end_user', scope_id: '*', project_id: PROJECT }),
        budget('end users of another', { scope: 'end_user', scope_id: '*', project_id: 'proj_2' }),
        budget('each key', { scope: 'api_key', scope_id: '*' }),
      ]),
    ).toEqual(['own', 'each', 'end users']);
  });

  it('leave out one of each project that an enabled one of the same period takes the place of', () => {
    const each = budget('each', { scope_id: '*' });
    expect(idsOf([budget('own', {}), each])).toEqual(['own']);
    expect(idsOf([budget('own', { enabled: false }), each])).toEqual(['own', 'each']);
    expect(idsOf([budget('own', { period: 'day' }), each])).toEqual(['own', 'each']);
  });

  it('have each budget once, however often it was read', () =>
    expect(idsOf([budget('own', {}), budget('own', {})])).toEqual(['own']));
});
