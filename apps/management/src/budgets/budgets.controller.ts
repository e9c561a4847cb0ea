import { ApiKeyStore, MemberStore, ProjectStore } from '@svc/access/store';
import { Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { BudgetSpendingStore, BudgetStore } from '@svc/ledger/store';
import { type Collection } from '../collection';
import {
  BUDGETS_MAX,
  budget,
  budgetChange,
  budgetFilters,
  budgetPeriod,
  budgetSpending,
  newBudget,
  presentBudget,
  presentPeriod,
  presentSpending,
  spendingFilters,
} from './budget-schema';
import { BudgetScopes } from './budget-scopes';
import { Budgets } from './budgets';

const ids = { budget_id: 'budget' } as const;

@Resource({
  path: 'budgets',
  one: 'Budget',
  many: 'Budgets',
  tag: 'Budgets',
  description:
    'Caps on what an organization, a project, an API key, a member, a model or an end user spends in a day, a week, a month, a quarter or a session.',
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
    const { items, hasMore } = await this.budgets.list(caller, page, query);
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
      'The last 31 days, 26 weeks, 12 months or 4 quarters, whether or not the budget existed then. None for a budget of sessions.',
    permission: 'budget:read',
    scope: null,
    operation: 'listBudgetPeriods',
    cursor: null,
    ids,
    query: spendingFilters,
    item: budgetPeriod,
  })
  async listPeriods({ caller, ids, query }: Call<{ ids: 'budget_id'; query: typeof spendingFilters }>) {
    const periods = await this.budgets.listPeriods(caller, ids.budget_id, query.scope_id);
    return { items: periods.map(presentPeriod), hasMore: false };
  }

  @List(':budget_id/spends', {
    summary: 'Who spent what of the budget in the current period, the most spent first.',
    description:
      'Of a budget of `*` everybody who spent something, at most 1,000: `scope_id` finds anyone else. Of a budget of ' +
      'sessions each session, else one.',
    permission: 'budget:read',
    scope: null,
    operation: 'listBudgetSpends',
    cursor: null,
    ids,
    query: spendingFilters,
    item: budgetSpending,
  })
  async listSpends({ caller, ids, query }: Call<{ ids: 'budget_id'; query: typeof spendingFilters }>) {
    const spends = await this.budgets.listSpends(caller, ids.budget_id, query.scope_id);
    return { items: spends.map(presentSpending), hasMore: false };
  }

  @Create('', {
    summary: 'Creates a budget.',
    description: `Earlier spend in the current period counts. An organization has at most ${String(BUDGETS_MAX)} budgets.`,
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
  services: [Budgets, BudgetScopes],
  stores: [BudgetStore, BudgetSpendingStore, ProjectStore, ApiKeyStore, MemberStore],
};
