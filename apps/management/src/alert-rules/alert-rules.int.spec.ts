import { AlertEvaluation } from '@svc/alerts/store';
import { MailQueue } from '@svc/database';
import { systemIds } from '@svc/runtime';
import { retryBusy } from '@svc/testing';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
} from '../testing/management-under-test';

describe('alert rules', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  /** It fires at once: a wallet without credit has nothing available. */
  const EMPTY = { name: 'Empty wallet', metric: 'wallet_available_nanos', threshold: 0 };
  const RULES = '/api/v1/alert-rules';
  const newCaller = async () => {
    const organization = await management.newOrganization();
    return { organization, caller: await management.withKey(organization) };
  };
  const newRule = async (caller: Client, fields: object = {}) => {
    const made = await retryBusy(() => caller.post(RULES, { ...EMPTY, ...fields }));
    expect(made).toMatchObject({ status: 201 });
    return { ...made.body, path: `${RULES}/${made.body.id}` };
  };
  const errorOf = ({ status, body }: Answered) => ({
    status,
    code: body.error.code as string,
    param: body.error.param as string | undefined,
  });
  const tick = async () => {
    const evaluation = new AlertEvaluation(management.database);
    await management.database.pool.query("UPDATE alert_ticks SET due_at = now() - interval '1 s'");
    for (let claim = await evaluation.claim(); claim !== null; claim = await evaluation.claim()) {
      await evaluation.recordObservations(claim, await evaluation.judge(claim.metric));
      await evaluation.finish(claim, 3_600);
    }
  };
  const auditsOf = async (targetId: string) =>
    (
      await management.database.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { id: 'asc' } })
    ).map(({ action }) => action);

  it('are made with defaults, read, changed and deleted, each change with its audit entry', async () => {
    const { organization, caller } = await newCaller();
    const { path, ...rule } = await newRule(caller);
    expect(rule).toEqual({
      ...EMPTY,
      id: expect.stringMatching(/^alr_/),
      organization_id: organization.id,
      window_seconds: 300,
      period: null,
      filter: {
        project_id: null,
        api_key_id: null,
        model: null,
        provider: null,
        budget_id: null,
        webhook_endpoint_id: null,
        integration_id: null,
      },
      min_requests: 20,
      for_seconds: 0,
      keep_firing_seconds: 300,
      repeat_seconds: null,
      severity: 'warning',
      notify: { roles: [], member_ids: [], integration_ids: [] },
      enabled: true,
      muted_until: null,
      disabled_reason: null,
      state: 'ok',
      observed: null,
      evaluated_at: null,
      current_alert_id: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const changed = await caller.patch(path, { name: 'Low', threshold: 5, severity: 'critical' });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Low', threshold: 5, severity: 'critical' } });
    expect((await caller.get(`${RULES}?metric=wallet_available_nanos`)).body.data).toEqual([changed.body]);
    expect((await caller.delete(path)).status).toBe(204);
    expect((await caller.get(path)).status).toBe(404);
    expect(await auditsOf(rule.id)).toEqual(['alert_rule.create', 'alert_rule.update', 'alert_rule.delete']);
  });

  it.each([
    [{ metric: 'nonsense' }, 'metric'],
    [{ threshold: -1 }, 'threshold'],
    [{ threshold: 1.5 }, 'threshold'],
    [{ window_seconds: 59 }, 'window_seconds'],
    [{ period: 'day' }, 'period'],
    [{ repeat_seconds: 60 }, 'repeat_seconds'],
    [{ filter: { model: 'acme/small' } }, 'filter.model'],
    [{ filter: { colour: 'red' } }, 'filter.colour'],
    [{ metric: 'circuit_open_seconds' }, 'filter'],
    [{ metric: 'request_count', filter: { project_id: systemIds('project') } }, 'filter.project_id'],
    [{ metric: 'request_count', filter: { api_key_id: systemIds('apiKey') } }, 'filter.api_key_id'],
    [{ metric: 'budget_consumed_bps', filter: { budget_id: systemIds('budget') } }, 'filter.budget_id'],
    [
      { metric: 'delivery_failures', filter: { webhook_endpoint_id: systemIds('webhookEndpoint') } },
      'filter.webhook_endpoint_id',
    ],
    [
      { metric: 'delivery_failures', filter: { integration_id: systemIds('integration') } },
      'filter.integration_id',
    ],
    [{ notify: { member_ids: [systemIds('member')] } }, 'notify.member_ids[0]'],
    [{ notify: { integration_ids: [systemIds('integration')] } }, 'notify.integration_ids[0]'],
    [{ notify: { roles: ['king'] } }, 'notify.roles[0]'],
  ])('with %j are refused, and the answer names %s', async (fields, param) => {
    const { caller } = await newCaller();
    const answer = await caller.post(RULES, { ...EMPTY, ...fields });
    expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request', param });
    const { path } = await newRule(caller);
    expect(errorOf(await caller.patch(path, fields))).toEqual({
      status: 400,
      code: 'invalid_request',
      param,
    });
  });

  it('of another organization are not found, and their things cannot be watched', async () => {
    const { caller: them, organization: theirs } = await newCaller();
    const { caller } = await newCaller();
    const { path } = await newRule(them);
    for (const answer of [
      await caller.get(path),
      await caller.patch(path, {}),
      await caller.delete(path),
      await caller.post(`${path}/test`),
    ]) {
      expect(answer.status).toBe(404);
    }
    const filter = { project_id: theirs.projectId };
    const answer = await caller.post(RULES, { ...EMPTY, metric: 'request_count', filter });
    expect(errorOf(answer)).toMatchObject({ status: 400, param: 'filter.project_id' });
  });

  it('are at most 100 an organization', async () => {
    const { caller } = await newCaller();
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 10 }, () => newRule(caller)));
    }
    expect(errorOf(await caller.post(RULES, EMPTY))).toMatchObject({ status: 409, code: 'conflict' });
  });

  it('of a project’s key are of its project only', async () => {
    const { organization, caller } = await newCaller();
    const own = await management.withKey(organization, ['alert:read', 'alert:write'], organization.projectId);
    const whole = await newRule(caller);
    const made = await newRule(own, { metric: 'request_count' });
    expect(made.filter.project_id).toBe(organization.projectId);
    expect((await own.get(RULES)).body.data).toHaveLength(1);
    expect((await own.get(whole.path)).status).toBe(404);
    expect(errorOf(await own.post(RULES, EMPTY))).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(errorOf(await own.patch(made.path, { metric: 'wallet_runway_hours', filter: {} }))).toMatchObject({
      status: 403,
    });
    expect(errorOf(await own.post(RULES, { ...EMPTY, metric: 'budget_consumed_bps' }))).toMatchObject({
      status: 403,
    });
    const foreign = { metric: 'request_count', filter: { project_id: systemIds('project') } };
    expect(errorOf(await own.post(RULES, { ...EMPTY, ...foreign }))).toMatchObject({
      status: 400,
      param: 'filter.project_id',
    });
  });

  it('show their alert while they fire, which ends when they are changed, disabled or deleted', async () => {
    const { caller } = await newCaller();
    for (const end of [
      (path: string) => caller.patch(path, { threshold: 1 }),
      (path: string) => caller.patch(path, { enabled: false }),
      (path: string) => caller.delete(path),
    ]) {
      const { path } = await newRule(caller);
      await tick();
      const { current_alert_id: alertId, ...firing } = (await caller.get(path)).body;
      expect(firing).toMatchObject({ state: 'firing', observed: 0, evaluated_at: expect.any(String) });
      expect((await caller.get(`/api/v1/alerts/${alertId}`)).body).toMatchObject({ state: 'firing' });
      await end(path);
      expect((await caller.get(`/api/v1/alerts/${alertId}`)).body).toMatchObject({
        state: 'resolved',
        resolved_at: expect.any(String),
        resolve_reason: expect.stringMatching(/^rule_(changed|disabled|deleted)$/),
      });
      await caller.delete(path);
    }
  });

  it('keep firing when only their words or their people change', async () => {
    const { caller } = await newCaller();
    const { path } = await newRule(caller);
    await tick();
    const muted_until = new Date(Date.now() + 60_000).toISOString();
    const written = muted_until.replace('Z', '+00:00');
    const answer = await caller.patch(path, {
      name: 'Other',
      notify: { roles: ['owner'] },
      muted_until: written,
    });
    expect(answer.body).toMatchObject({ state: 'firing', muted_until, notify: { roles: ['owner'] } });
  });

  describe('and their alerts', () => {
    it('are listed newest first, by state, rule and time', async () => {
      const { caller } = await newCaller();
      const [first, second] = [await newRule(caller), await newRule(caller)];
      await tick();
      await caller.delete(first.path);
      const listed = async (query: string) =>
        (await caller.get(`/api/v1/alerts${query}`)).body.data.map(
          ({ alert_rule_id }: { alert_rule_id: string }) => alert_rule_id,
        );
      expect((await listed('')).sort()).toEqual([first.id, second.id].sort());
      expect(await listed('?state=firing')).toEqual([second.id]);
      expect(await listed(`?alert_rule_id=${first.id}`)).toEqual([first.id]);
      expect(await listed('?created_after=2100-01-01')).toEqual([]);
      expect((await caller.get('/api/v1/alerts?limit=1')).body).toMatchObject({ has_more: true });
    });

    it('are acknowledged once, which silences repeats and changes no state', async () => {
      const { organization, caller } = await newCaller();
      const rule = await newRule(caller, { repeat_seconds: 3_600 });
      await tick();
      const { current_alert_id: id } = (await caller.get(rule.path)).body;
      const path = `/api/v1/alerts/${id}/acknowledge`;
      const session = await management.withSession(organization, 'finance');
      expect((await session.post(path)).body).toMatchObject({
        state: 'firing',
        acknowledged_by: session.userId,
      });
      expect((await caller.post(path)).body).toMatchObject({ acknowledged_by: session.userId });
      expect(await auditsOf(id)).toEqual(['alert.acknowledge']);
      await management.database.pool.query(
        `UPDATE alerts SET last_told_at = last_told_at - interval '2 hours'`,
      );
      await tick();
      expect((await management.database.prisma.alert.findUniqueOrThrow({ where: { id } })).toldCount).toBe(1);

      const other = await newRule(caller);
      await tick();
      const { current_alert_id: resolved } = (await caller.get(other.path)).body;
      await caller.delete(other.path);
      expect(errorOf(await caller.post(`/api/v1/alerts/${resolved}/acknowledge`))).toMatchObject({
        status: 409,
      });
    });

    it('show whom they told, and what became of the mail', async () => {
      const { organization, caller } = await newCaller();
      const finance = await management.withSession(organization, 'finance');
      await management.withSession(organization, 'viewer');
      const { path } = await newRule(caller, { notify: { roles: ['finance'] } });
      await tick();
      const { current_alert_id: id } = (await caller.get(path)).body;
      const told = () => caller.get(`/api/v1/alerts/${id}`).then(({ body }) => body.notifications);
      expect(await told()).toEqual([
        { channel: 'email', target: finance.memberId, status: 'queued', at: expect.any(String), error: null },
      ]);
      const queue = new MailQueue(management.database);
      for (const mail of await queue.claim(100)) {
        await queue.end(mail, { status: 'skipped', error: 'not_configured', retryInSeconds: null });
      }
      expect(await told()).toMatchObject([{ status: 'skipped', error: 'not_configured' }]);
    });
  });

  it('are tested ten times an hour, also when disabled, without an alert or an event', async () => {
    const { organization, caller } = await newCaller();
    const owner = await management.withSession(organization, 'owner');
    const { id, path } = await newRule(caller, { enabled: false, notify: { member_ids: [owner.memberId] } });
    for (let count = 0; count < 10; count++) {
      const answer = await caller.post(`${path}/test`);
      expect(answer).toMatchObject({
        status: 200,
        body: { notifications: [{ target: owner.memberId, status: 'queued' }] },
      });
    }
    const refused = await caller.post(`${path}/test`);
    expect(errorOf(refused)).toMatchObject({ status: 429, code: 'rate_limit' });
    expect(refused.headers.get('retry-after')).toBe('60');
    const mails = await management.database.prisma.mail.findMany({ where: { memberId: owner.memberId } });
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(
      new Set(['[Svc] [test] Empty wallet (warning)']),
    );
    expect(mails).toHaveLength(10);
    expect(await auditsOf(id)).toHaveLength(11);
    expect(await management.database.prisma.alert.count({ where: { alertRuleId: id } })).toBe(0);

    await management.database.pool.query(
      `UPDATE alert_rules SET tested_at[1] = now() - interval '61 minutes' WHERE id = $1`,
      [id],
    );
    expect((await caller.post(`${path}/test`)).status).toBe(200);
    expect((await caller.post(`${path}/test`)).status).toBe(429);
  });
});
