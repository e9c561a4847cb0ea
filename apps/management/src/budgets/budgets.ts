import { Injectable } from '@nestjs/common';
import { ApiKeyStore, ProjectStore } from '@svc/access/store';
import { type z } from 'zod';
import { requireRoom, unknownResource, type Caller } from '@svc/api';
import { Mutations } from '@svc/approvals/store';
import { GatewayError, nanos, nanosToJson, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import { type BudgetFilter, type BudgetPeriod, type BudgetRecord, BudgetStore } from '@svc/ledger/store';
import { BUDGETS_MAX, type budgetChange, type newBudget } from './budget-schema';

/** An organization's budgets. A budget is checked where a call's money is held, so a change applies at once. */
@Injectable()
export class Budgets {
  constructor(
    private readonly store: BudgetStore,
    private readonly projects: ProjectStore,
    private readonly keys: ApiKeyStore,
    private readonly mutations: Mutations,
  ) {}

  list(
    { organizationId, projectId }: Caller,
    page: Page,
    filter: BudgetFilter,
  ): Promise<Slice<BudgetRecord>> {
    return this.store.list(organizationId, page, filter, projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<BudgetRecord> {
    const found = await this.store.find(organizationId, id, projectId);
    if (found === null) throw unknownResource();
    return found;
  }

  /** @throws GatewayError `notFound`. */
  async listPeriods(caller: Caller, id: string): Promise<readonly BudgetPeriod[]> {
    await this.get(caller, id);
    return this.store.listPeriods(id);
  }

  /**
   * @throws GatewayError `invalidRequest` for a scope that does not belong to the organization; `conflict` above the most
   * budgets.
   */
  async create(caller: Caller, body: z.output<typeof newBudget>): Promise<BudgetRecord> {
    const { organizationId } = caller;
    const { name, scope, period, action, enabled } = body;
    const scopeId = await this.scopeIdOf(organizationId, body);
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const count = await this.store.lockCount(tx, organizationId);
      requireRoom(count, BUDGETS_MAX, 'budgets', 'delete one first');
      const created = await this.store.create(tx, {
        id: newId('budget'),
        organizationId,
        name,
        scope,
        scopeId,
        period,
        amount: nanos(body.amount_nanos),
        action,
        warnAtBps: body.warn_at_bps,
        enabled,
      });
      const fields = { ...audited(created), scope, scope_id: scopeId, period };
      await audit('budget.create', created.id, initialFields(fields));
      return created;
    });
  }

  /** @throws GatewayError `notFound`. */
  change(caller: Caller, id: string, body: z.output<typeof budgetChange>): Promise<BudgetRecord> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.store.lock(tx, caller.organizationId, id);
      if (before === null) throw unknownResource();
      const changes = changedFields(audited(before), body);
      if (Object.keys(changes).length === 0) return before;
      await audit('budget.update', id, changes, audited(before));
      const { name, action, enabled, warn_at_bps: warnAtBps, amount_nanos: amountNanos } = body;
      const amount = amountNanos === undefined ? undefined : nanos(amountNanos);
      return this.store.change(tx, before, { name, amount, action, warnAtBps, enabled });
    });
  }

  /** @throws GatewayError `notFound`. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = await this.store.lock(tx, caller.organizationId, id);
      if (before === null) throw unknownResource();
      await audit('budget.delete', id, { name: { from: before.name } }, audited(before));
      await this.store.delete(tx, before);
    });
  }

  /** Projects and keys are never deleted, so one that was found stays. */
  private async scopeIdOf(
    organizationId: string,
    { scope, scope_id: given }: z.output<typeof newBudget>,
  ): Promise<string> {
    if (scope === 'organization') {
      if (given === undefined || given === organizationId) return organizationId;
      throw refusedScope('This is not the id of the organization.');
    }
    if (given === undefined) throw refusedScope('scope_id: must name a project or an API key.');
    const found = await (scope === 'project' ? this.projects : this.keys).find(organizationId, given);
    if (found === null)
      throw refusedScope(`There is no such ${scope === 'project' ? 'project' : 'API key'}.`);
    return given;
  }
}

const refusedScope = (message: string): GatewayError =>
  new GatewayError('invalidRequest', message, { param: 'scope_id' });

const audited = (record: BudgetRecord) => ({
  name: record.name,
  amount_nanos: nanosToJson(record.amount),
  action: record.action,
  warn_at_bps: record.warnAtBps,
  enabled: record.enabled,
});
