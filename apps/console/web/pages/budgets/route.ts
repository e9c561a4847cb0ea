import { createRoute } from '@tanstack/react-router';
import { flag } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { BudgetsIcon } from '../../ui/icons/icons';
import { budgetList, spendList } from './list';

/** `/console/budgets`: what may be spent, and what was. */
export const budgetsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/budgets',
  validateSearch: address({ ...budgetList.address, create: flag }),
  staticData: {
    title: 'Budgets',
    group: 'control',
    icon: BudgetsIcon,
    permission: 'budget:read',
    what: 'budgets',
    commands: [{ label: 'Create budget', permission: 'budget:write', search: { create: 'true' } }],
  },
});

/** `/console/budgets/bud_…?whose=…`: one budget; of one of each, whose spend is shown. */
export const budgetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/budgets/$budgetId',
  validateSearch: address({ ...spendList.address, edit: flag }),
  staticData: { title: 'Budget', permission: 'budget:read', what: 'budgets', opensIds: 'budget' },
});
