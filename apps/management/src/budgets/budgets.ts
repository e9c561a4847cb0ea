import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { known, recordFields, requireRoom, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, nanos, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import { EACH } from '@svc/ledger';
import {
  type BudgetPeriod,
  type BudgetRecord,
  type BudgetSpending,
  BudgetSpendingStore,
  BudgetStore,
} from '@svc/ledger/store';
import {
  auditedBudget,
  BUDGETS_MAX,
  type budgetChange,
  type budgetFilters,
  type newBudget,
  overrideOf,
} from './budget-schema';
import { BudgetScopes } from './budget-scopes';

const OVERRIDE_MAX_MS = 366 * 86_400_000;

type BudgetQuery = { readonly [K in keyof typeof budgetFilters]?: z.output<(typeof budgetFilters)[K]> };

/** An organization's budgets. A budget is checked where a call's money is held, so a change applies at once. */
@Injectable()
export class Budgets {
  constructor(
    private readonly store: BudgetStore,
    private readonly spending: BudgetSpendingStore,
    private readonly scopes: BudgetScopes,
    private readonly mutations: Mutations,
  ) {}

  async list(
    { organizationId, projectId }: Caller,
    page: Page,
    { scope, scope_id: named, project_id, enabled, applies_to: appliesTo, end_user: endUser }: BudgetQuery,
  ): Promise<Slice<BudgetRecord>> {
    const idOf = async (given: string | undefined, of: BudgetRecord['scope'] | undefined) =>
      given === undefined || of === undefined ? given : this.scopes.subjectOf(organizationId, of, given);
    const scopeId = await idOf(named, scope);
    const endUserId = await idOf(endUser, 'end_user');
    const filter = { scope, scopeId, projectId: project_id, enabled, appliesTo, endUserId };
    return this.store.listBudgets(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<BudgetRecord> {
    return known(await this.store.findBudget(organizationId, id, projectId));
  }

  /** @throws GatewayError `notFound`; `invalidRequest` for a budget of each without saying whose. */
  async listPeriods(caller: Caller, id: string, scopeId?: string): Promise<readonly BudgetPeriod[]> {
    const budget = await this.get(caller, id);
    const subject = await this.subjectIn(budget, scopeId);
    if (budget.scopeId === EACH && subject === null && budget.period !== 'session') {
      const message = 'scope_id: a budget of * has the periods of each, so say whose.';
      throw new GatewayError('invalidRequest', message, { param: 'scope_id' });
    }
    return isOfAnother(budget, subject) ? [] : this.spending.listPeriods(budget, subject);
  }

  /** @throws GatewayError `notFound`. */
  async listSpends(caller: Caller, id: string, scopeId?: string): Promise<readonly BudgetSpending[]> {
    const budget = await this.get(caller, id);
    const subject = await this.subjectIn(budget, scopeId);
    return isOfAnother(budget, subject) ? [] : this.spending.listSpends(budget, subject);
  }

  private async subjectIn(budget: BudgetRecord, scopeId: string | undefined): Promise<string | null> {
    if (scopeId === undefined) return null;
    return this.scopes.subjectOf(budget.organizationId, budget.scope, scopeId);
  }

  /**
   * @throws GatewayError `invalidRequest` for a scope that does not belong to the organization; `conflict` above the most
   * budgets.
   */
  async create(caller: Caller, body: z.output<typeof newBudget>): Promise<BudgetRecord> {
    const { organizationId } = caller;
    const { amount_nanos, ...given } = body;
    const scopeId = await this.scopes.scopeIdOf(organizationId, body);
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const count = await this.store.lockBudgetCount(tx, organizationId);
      requireRoom(count, BUDGETS_MAX, 'budgets', 'delete one first');
      const created = await this.store.createBudget(tx, {
        id: newId('budget'),
        organizationId,
        ...recordFields(given),
        scopeId,
        amount: nanos(amount_nanos),
        override: null,
      });
      await audit('budget.create', created.id, initialFields({ ...body, scope_id: scopeId }));
      return created;
    });
  }

  /** @throws GatewayError `notFound`; `invalidRequest` for an override that ended, or ends too late. */
  change(caller: Caller, id: string, body: z.output<typeof budgetChange>): Promise<BudgetRecord> {
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const before = known(await this.store.lockBudget(tx, caller.organizationId, id));
      if (body.override) requireUntil(body.override.until, at);
      const changes = changedFields(auditedBudget(before), body);
      if (Object.keys(changes).length === 0) return before;
      await audit('budget.update', id, changes, auditedBudget(before));
      const { amount_nanos, override, ...given } = body;
      return this.store.changeBudget(tx, before, {
        ...recordFields(given),
        ...(amount_nanos !== undefined && { amount: nanos(amount_nanos) }),
        ...(override !== undefined && { override: overrideOf(override) }),
      });
    });
  }

  /** @throws GatewayError `notFound`. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = known(await this.store.lockBudget(tx, caller.organizationId, id));
      await audit('budget.delete', id, { name: { from: before.name } }, auditedBudget(before));
      await this.store.deleteBudget(tx, before);
    });
  }
}

/** A budget that names one has nothing of another. */
const isOfAnother = ({ scopeId }: BudgetRecord, subject: string | null): boolean =>
  scopeId !== EACH && subject !== null && subject !== scopeId;

function requireUntil(until: string, at: Date): void {
  const restMs = Date.parse(until) - at.getTime();
  if (restMs > 0 && restMs <= OVERRIDE_MAX_MS) return;
  const message = 'override.until: must be in the future, and at most 366 days from now.';
  throw new GatewayError('invalidRequest', message, { param: 'override.until' });
}
