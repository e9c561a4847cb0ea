import { nanos } from '@svc/kernel';
import { BudgetSpendStore, LedgerStore, WalletStore } from '@svc/ledger/store';
import { holdOf, settlementOf } from '@svc/ledger/testing';
import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

describe('budgets', () => {
  let management: ManagementUnderTest;
  let ledger: LedgerStore;

  beforeAll(async () => {
    management = await startManagement();
    ledger = new LedgerStore(management.database);
  });
  afterAll(() => management.close());

  const NEW = { name: 'Team', scope: 'organization', period: 'month', amount_nanos: 1_000, action: 'block' };
  const newCaller = async () => {
    const organization = await management.newOrganization();
    await new WalletStore(management.database).credit(organization.id, nanos(1_000_000), 'spec');
    return { organization, caller: await management.withKey(organization) };
  };
  const newBudget = async (caller: Client, fields: object = {}) => {
    const made = await caller.post('/api/v1/budgets', { ...NEW, ...fields });
    expect(made.status).toBe(201);
    return { ...made.body, path: `/api/v1/budgets/${made.body.id}` };
  };
  const errorOf = ({ status, body }: Answered) => ({
    status,
    code: body.error.code as string,
    param: body.error.param as string | undefined,
  });
  const auditsOf = async (targetId: string) =>
    (
      await management.database.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { id: 'asc' } })
    ).map(({ action, changes }) => ({ action, changes }));
  const eventsOf = async (organizationId: string) => {
    await new BudgetSpendStore(management.database).announceCrossings(1_000);
    const where = { organizationId, type: { startsWith: 'budget.' } };
    const rows = await management.database.prisma.outboxEvent.findMany({ where, orderBy: { id: 'asc' } });
    return rows.map(({ type }) => type);
  };

  /** A call of the organization, as an edge opens and settles it. */
  const callOf = ({ id, projectId }: Organization, holdNanos: number, apiKeyId = 'key_1') =>
    holdOf(id, holdNanos, { projectId, apiKeyId });
  const spend = async (organization: Organization, chargeNanos: number, apiKeyId?: string) => {
    const call = callOf(organization, chargeNanos, apiKeyId);
    expect(await ledger.openHold(call)).toMatchObject({ refusedBy: null });
    expect(await ledger.settle(settlementOf(call, chargeNanos))).toBe(true);
  };
  const refusalOf = async (organization: Organization, holdNanos: number) =>
    (await ledger.openHold(callOf(organization, holdNanos))).refusedBy;

  it('are made, read, changed and deleted at both path forms, each change with its audit entry', async () => {
    const { organization, caller } = await newCaller();
    const made = await caller.post('/api/v1/budgets', NEW);
    const { id } = made.body;
    expect(made).toMatchObject({ status: 201 });
    expect(made.body).toEqual({
      id: expect.stringMatching(/^bud_/),
      organization_id: organization.id,
      scope_id: organization.id,
      project_id: null,
      ...NEW,
      override: null,
      amount_in_force_nanos: 1_000,
      warn_at_bps: 8_000,
      enabled: true,
      spent_nanos: 0,
      resets_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });

    const scoped = `/api/v1/organizations/${organization.id}/budgets/${id}`;
    expect((await caller.get(scoped)).body).toEqual(made.body);
    expect(await caller.patch(scoped, { amount_nanos: 2_000, warn_at_bps: 1, enabled: false })).toMatchObject(
      {
        status: 200,
        body: { amount_nanos: 2_000, warn_at_bps: 1, enabled: false, name: 'Team' },
      },
    );
    expect((await caller.delete(`/api/v1/budgets/${id}`)).status).toBe(204);
    expect(errorOf(await caller.get(scoped))).toMatchObject({ status: 404 });
    expect(errorOf(await caller.delete(scoped))).toMatchObject({ status: 404 });
    expect(await auditsOf(id)).toMatchObject([
      { action: 'budget.create', changes: { amount_nanos: { to: 1_000 }, period: { to: 'month' } } },
      {
        action: 'budget.update',
        changes: {
          amount_nanos: { from: 1_000, to: 2_000 },
          warn_at_bps: { from: 8_000, to: 1 },
          enabled: { from: true, to: false },
        },
      },
      { action: 'budget.delete', changes: { name: { from: 'Team' } } },
    ]);
  });

  it('say what is spent in the current period, and when the next one begins', async () => {
    const { organization, caller } = await newCaller();
    await spend(organization, 300);
    const now = new Date();
    const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);

    const day = await newBudget(caller, { period: 'day' });
    const month = await newBudget(caller);
    const session = await newBudget(caller, { period: 'session' });
    await spend(organization, 40);
    const readings = await caller.get('/api/v1/budgets');

    expect(readings.body.data).toMatchObject([
      { id: session.id, spent_nanos: null, resets_at: null },
      { id: month.id, spent_nanos: 340, resets_at: new Date(nextMonth).toISOString() },
      { id: day.id, spent_nanos: 340, resets_at: new Date(tomorrow).toISOString() },
    ]);
    await caller.patch(day.path, { enabled: false });
    await spend(organization, 5);
    expect((await caller.get(day.path)).body.spent_nanos).toBe(345);
  });

  it('are listed newest first, page by page, and by scope and whether they are enabled', async () => {
    const { organization, caller } = await newCaller();
    const whole = await newBudget(caller, { enabled: false });
    const project = await newBudget(caller, { scope: 'project', scope_id: organization.projectId });
    const key = await newBudget(caller, { scope: 'api_key', scope_id: caller.keyId });
    const idsAt = async (query: string) =>
      (await caller.get(`/api/v1/budgets${query}`)).body.data.map(({ id }: { id: string }) => id);

    const first = await caller.get('/api/v1/budgets?limit=2');
    expect(first.body).toMatchObject({ data: [{ id: key.id }, { id: project.id }], has_more: true });
    expect(await idsAt(`?cursor=${first.body.next_cursor}`)).toEqual([whole.id]);
    expect(await idsAt('?enabled=false')).toEqual([whole.id]);
    expect(await idsAt('?enabled=true&scope=project')).toEqual([project.id]);
    expect(await idsAt(`?scope_id=${caller.keyId}`)).toEqual([key.id]);
    expect(errorOf(await caller.get('/api/v1/budgets?enabled=maybe'))).toMatchObject({
      status: 400,
      param: 'enabled',
    });
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ amount_nanos: 0 }, 'amount_nanos'],
    [{ amount_nanos: 1.5 }, 'amount_nanos'],
    [{ amount_nanos: 2 ** 53 }, 'amount_nanos'],
    [{ action: 'explode' }, 'action'],
    [{ warn_at_bps: 10_001 }, 'warn_at_bps'],
    [{ warn_at_bps: 0 }, 'warn_at_bps'],
    [{ period: 'year' }, 'period'],
    [{ scope: 'galaxy' }, 'scope'],
    [{ scope: 'project' }, 'scope_id'],
    [{ scope: 'project', scope_id: systemIds('project') }, 'scope_id'],
    [{ scope: 'project', scope_id: 'a\u0000b' }, 'scope_id'],
    [{ scope: 'api_key', scope_id: systemIds('project') }, 'scope_id'],
    [{ scope_id: systemIds('organization') }, 'scope_id'],
    [{ spent_nanos: 0 }, 'spent_nanos'],
  ])('are refused with %j, naming the field, and leave nothing', async (fields, param) => {
    const { organization, caller } = await newCaller();
    const answer = await caller.post('/api/v1/budgets', { ...NEW, ...fields });
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request', param });
    expect(
      await management.database.prisma.budget.count({ where: { organizationId: organization.id } }),
    ).toBe(0);
    expect(
      await management.database.prisma.auditEntry.count({ where: { organizationId: organization.id } }),
    ).toBe(0);
  });

  it('cannot be put on another organization’s project or key, in the words for one that never was', async () => {
    const { caller } = await newCaller();
    const theirs = await management.newOrganization();
    const { keyId } = await management.withKey(theirs);
    for (const [scope, scope_id] of [
      ['project', theirs.projectId],
      ['project', systemIds('project')],
      ['api_key', keyId],
      ['api_key', systemIds('apiKey')],
    ]) {
      const { body } = await caller.post('/api/v1/budgets', { ...NEW, scope, scope_id });
      const noun = scope === 'project' ? 'project' : 'API key';
      expect(body.error).toMatchObject({ param: 'scope_id', message: `There is no such ${noun}.` });
    }
  });

  it('keep their scope and period', async () => {
    const { organization, caller } = await newCaller();
    const { path } = await newBudget(caller);
    for (const field of ['scope', 'scope_id', 'period']) {
      const change = { scope: 'project', scope_id: organization.projectId, period: 'day' };
      const answer = await caller.patch(path, { [field]: change[field as keyof typeof change] });
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request', param: field });
    }
  });

  it.each([[{}], [{ amount_nanos: 1_000, name: 'Team' }]])(
    'changed by nothing (%j) are answered as they are, without a word in the audit log',
    async (body) => {
      const { caller } = await newCaller();
      const { path, ...budget } = await newBudget(caller);
      expect(await caller.patch(path, body)).toMatchObject({ status: 200, body: budget });
      expect(await auditsOf(budget.id)).toHaveLength(1);
    },
  );

  it('lose nothing when edits of different fields meet, while calls come and go', async () => {
    const { organization, caller } = await newCaller();
    const { path } = await newBudget(caller, { amount_nanos: 1_000_000 });
    await Promise.all([
      caller.patch(path, { name: 'Both' }),
      caller.patch(path, { amount_nanos: 900_000 }),
      caller.patch(path, { warn_at_bps: 5_000 }),
      caller.patch(path, { action: 'warn' }),
      ...Array.from({ length: 20 }, () => spend(organization, 10)),
    ]);
    expect((await caller.get(path)).body).toMatchObject({
      name: 'Both',
      amount_nanos: 900_000,
      warn_at_bps: 5_000,
      action: 'warn',
      spent_nanos: 200,
    });
  });

  describe('reach the next call at once', () => {
    it('when they are lowered below what is spent, and the worker tells of it without another call', async () => {
      const { organization, caller } = await newCaller();
      const { id, path } = await newBudget(caller);
      await spend(organization, 500);
      expect(await eventsOf(organization.id)).toEqual([]);

      await caller.patch(path, { amount_nanos: 400 });
      // Both events are of one millisecond: no order is promised.
      const told = await eventsOf(organization.id);
      expect(told.sort()).toEqual(['budget.exceeded', 'budget.threshold_crossed']);
      expect(await refusalOf(organization, 1)).toEqual({ budgetId: id, budgetName: 'Team' });
    });

    it('when they are raised: calls fit again, and they can be exceeded once more', async () => {
      const { organization, caller } = await newCaller();
      const { path } = await newBudget(caller);
      await spend(organization, 900);
      expect(await refusalOf(organization, 200)).not.toBeNull();
      expect(await eventsOf(organization.id)).toHaveLength(2);

      await caller.patch(path, { amount_nanos: 2_000 });
      await spend(organization, 200);
      expect(await eventsOf(organization.id)).toHaveLength(2);
      expect(await refusalOf(organization, 1_000)).not.toBeNull();
      expect((await eventsOf(organization.id)).slice(2)).toEqual(['budget.exceeded']);
    });

    it('when something else of an exceeded one changes, which is not told of again', async () => {
      const { organization, caller } = await newCaller();
      const { path } = await newBudget(caller);
      await spend(organization, 900);
      await refusalOf(organization, 200);
      await eventsOf(organization.id);
      await caller.patch(path, { name: 'Renamed' });
      expect(await refusalOf(organization, 200)).toMatchObject({ budgetName: 'Renamed' });
      expect(await eventsOf(organization.id)).toHaveLength(2);
    });

    it('when they are enabled again, with what passed them by in the meantime', async () => {
      const { organization, caller } = await newCaller();
      const { path } = await newBudget(caller);
      await spend(organization, 100);
      await caller.patch(path, { enabled: false });
      await spend(organization, 2_000);
      const again = await caller.patch(path, { enabled: true });
      expect(again.body.spent_nanos).toBe(2_100);
      expect(await refusalOf(organization, 1)).not.toBeNull();
    });
  });

  it('can be deleted under a call in flight, which settles', async () => {
    const { organization, caller } = await newCaller();
    const { path } = await newBudget(caller);
    const call = callOf(organization, 100);
    await ledger.openHold(call);
    expect((await caller.delete(path)).status).toBe(204);
    expect(await ledger.settle(settlementOf(call, 60))).toBe(true);
  });

  it('come, change and go while calls do, none of which fails', async () => {
    const { organization, caller } = await newCaller();
    let isServing = true;
    const serving = Promise.all(
      Array.from({ length: 8 }, async () => {
        while (isServing) await spend(organization, 1);
      }),
    );
    for (let round = 0; round < 25; round++) {
      const { path } = await newBudget(caller, { amount_nanos: 1_000_000 });
      const change = caller.patch(path, { enabled: round % 2 === 0, amount_nanos: 2_000_000 + round });
      const [changed, deleted] = await Promise.all([change, caller.delete(path)]);
      expect([200, 404]).toContain(changed.status);
      expect(deleted.status).toBe(204);
    }
    isServing = false;
    await serving;
    const { balanceNanos, heldNanos } = await management.database.prisma.wallet.findUniqueOrThrow({
      where: { organizationId: organization.id },
    });
    const calls = await management.database.prisma.requestRecord.count({
      where: { organizationId: organization.id },
    });
    expect({ balanceNanos, heldNanos }).toEqual({ balanceNanos: 1_000_000n - BigInt(calls), heldNanos: 0n });
  });

  it('show a key of one project those of its project and of that project’s keys', async () => {
    const { organization, caller } = await newCaller();
    const own = await management.withKey(organization, ['budget:read'], organization.projectId);
    const whole = await newBudget(caller);
    const project = await newBudget(caller, { scope: 'project', scope_id: organization.projectId });
    const key = await newBudget(caller, { scope: 'api_key', scope_id: own.keyId });
    await newBudget(caller, { scope: 'api_key', scope_id: caller.keyId });

    const { data } = (await own.get('/api/v1/budgets')).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual([key.id, project.id]);
    expect((await own.get(whole.path)).status).toBe(404);
    expect((await own.get(key.path)).status).toBe(200);
  });

  it('of another organization are not found, in the same words as ones that never were', async () => {
    const { organization: theirs, caller: them } = await newCaller();
    const { caller } = await newCaller();
    const { id, path } = await newBudget(them);
    const scoped = `/api/v1/organizations/${theirs.id}/budgets`;
    for (const unknown of [path, `/api/v1/budgets/${systemIds('budget')}`, `/api/v1/budgets/${theirs.id}`]) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await caller.call(method, unknown, method === 'PATCH' ? { name: 'Mine' } : undefined);
        expect(answer).toMatchObject({
          status: 404,
          body: { error: { message: 'There is no such resource.' } },
        });
      }
    }
    for (const answer of [
      await caller.get(scoped),
      await caller.get(`${scoped}/${id}`),
      await caller.post(scoped, NEW),
    ]) {
      expect(answer.status).toBe(404);
    }
    expect((await them.get(path)).body).toMatchObject({ name: 'Team' });
  });

  it('are written by those with budget:write alone, and read by those with budget:read', async () => {
    const { organization, caller } = await newCaller();
    const { path } = await newBudget(caller);
    const developer = await management.withSession(organization, 'developer');
    const finance = await management.withSession(organization, 'finance');
    const keyless = await management.withKey(organization, ['key:read']);

    expect((await developer.get(path)).status).toBe(200);
    for (const answer of [
      await developer.post('/api/v1/budgets', NEW),
      await developer.patch(path, { name: 'Mine' }),
      await developer.delete(path),
      await keyless.get('/api/v1/budgets'),
      await keyless.get(path),
    ]) {
      expect(errorOf(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
    }
    expect((await finance.patch(path, { name: 'Night' })).body).toMatchObject({ name: 'Night' });
    expect((await finance.delete(path)).status).toBe(204);
  });
});
