import { isOfEach } from '../../calls/budget-standing';
import { type Budget } from './project';

/**
 * Of some budgets those that count calls of the project alone: its own, those of each project, and those of members, models
 * and end users within it. An enabled one that names the project takes the place of one of each with the same period
 * (docs/reference/limits-and-budgets.md#an-amount-for-each).
 */
export function budgetsOfProject(projectId: string, budgets: readonly Budget[]): readonly Budget[] {
  const distinct = [...new Map(budgets.map((budget) => [budget.id, budget])).values()];
  const isNamed = ({ scope, scope_id: id }: Budget) => scope === 'project' && id === projectId;
  const named = new Set(distinct.filter((one) => one.enabled && isNamed(one)).map(({ period }) => period));
  const isOfEachProject = (budget: Budget) =>
    budget.scope === 'project' && isOfEach(budget) && !named.has(budget.period);
  return distinct.filter(
    (budget) => isNamed(budget) || isOfEachProject(budget) || budget.project_id === projectId,
  );
}
