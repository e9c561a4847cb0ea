import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { BudgetStore } from '@svc/ledger/store';
import { type Collection } from '../collection';
import {
  BUDGETS_MAX,
  budget,
  budgetChange,
  budgetFilters,
  budgetPeriod,
  newBudget,
  presentBudget,
  presentPeriod,
} from './budget-schema';
import { Budgets } from './budgets';

const ids = { budget_id: 'budget' } as const;

@Resource({
  path: 'budgets',
  one: 'Budget',
  many: 'Budgets',
  tag: 'Budgets',
  description: 'Caps on what an organization, a project or an API key spends in a day, a month or a session.',
})
class BudgetsController {
  constructor(private readonly budgets: Budgets) {}

  @List('', {
    summary: 'The budgets, newest first, with their spend.',
    permission: 'budget:read',
    scope: null,
    cursor: 'budget',
    query: budgetFilters,
    item: budget,
  })
  async list({ caller, page, query }: Call<{ query: typeof budgetFilters }>) {
    const { scope, scope_id: scopeId, enabled, applies_to: appliesTo } = query;
    const filter = { scope, scopeId, enabled, appliesTo };
    const { items, hasMore } = await this.budgets.list(caller, page, filter);
    return { items: items.map(presentBudget), hasMore };
  }

  @Get(':budget_id', {
    summary: 'One budget, with its spend.',
    permission: 'budget:read',
    scope: null,
    ids,
    answer: budget,
  })
  async get({ caller, ids }: Call<{ ids: 'budget_id' }>) {
    return presentBudget(await this.budgets.get(caller, ids.budget_id));
  }

  @List(':budget_id/periods', {
    summary: 'What the scope of the budget spent, the current period first.',
    description:
      'The last 31 days or 12 months, whether or not the budget existed then. None for a budget of sessions.',
    permission: 'budget:read',
    scope: null,
    operation: 'listBudgetPeriods',
    cursor: null,
    ids,
    item: budgetPeriod,
  })
  async listPeriods({ caller, ids }: Call<{ ids: 'budget_id' }>) {
    const periods = await this.budgets.listPeriods(caller, ids.budget_id);
    return { items: periods.map(presentPeriod), hasMore: false };
  }

  @Create('', {
    summary: 'Creates a budget.',
    description: `Earlier spend in the current day or month counts. An organization has at most ${String(BUDGETS_MAX)} budgets.`,
    permission: 'budget:write',
    scope: null,
    approval: 'budget.create',
    body: newBudget,
    answer: budget,
  })
  async create({ caller, body }: Call<{ body: typeof newBudget }>) {
    return presentBudget(await this.budgets.create(caller, body));
  }

  @Change(':budget_id', {
    summary: 'Changes a budget.',
    description: 'Applies from the next call on.',
    permission: 'budget:write',
    scope: null,
    approval: 'budget.update',
    ids,
    body: budgetChange,
    answer: budget,
  })
  async change({ caller, ids, body }: Call<{ ids: 'budget_id'; body: typeof budgetChange }>) {
    return presentBudget(await this.budgets.change(caller, ids.budget_id, body));
  }

  @Remove(':budget_id', {
    summary: 'Deletes a budget.',
    description: 'Calls in flight are settled without it.',
    permission: 'budget:write',
    scope: null,
    approval: 'budget.delete',
    ids,
  })
  async remove({ caller, ids }: Call<{ ids: 'budget_id' }>) {
    await this.budgets.remove(caller, ids.budget_id);
  }
}

export const budgets: Collection = {
  controllers: [BudgetsController],
  services: [Budgets],
  stores: [BudgetStore, ProjectStore, ApiKeyStore],
};
