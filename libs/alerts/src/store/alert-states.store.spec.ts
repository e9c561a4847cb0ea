import { UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { AlertWorld, newSettings } from '../testing/alert-world';
import { type AlertRuleRecord } from './alert-rule-record';

let test: TestDatabase;
let world: AlertWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = await new AlertWorld(test.database).open();
});
afterEach(() => test.close());

const many = () => world.setCalls({ calls: 100 });
const none = () => world.setCalls();
/** A rule of the rate of errors has no data without calls. */
const rate = { metric: 'error_rate_bps', threshold: 500n } as const;
const failing = () => world.setCalls({ calls: 100, failures: 50 });
const healthy = () => world.setCalls({ calls: 100 });
const subjects = async () => (await world.mails()).map(({ subject }) => subject);
const change = (rule: AlertRuleRecord, settings: object, ends: 'none' | 'rule_changed' | 'rule_disabled') =>
  new UnitOfWork(test.database).transaction(async (tx) => {
    const before = await world.rules.lockRule(tx, world.organizationId, rule.id, null);
    return world.rules.changeRule(tx, before!, null, { ...before!, ...settings }, ends);
  });

describe('a rule over the database', () => {
  it('waits for its time, then fires with one alert, one event and one mail', async () => {
    await many();
    const { id } = await world.addRule({ forSeconds: 60 });
    await world.tick();
    expect(await world.rule(id)).toMatchObject({
      state: 'pending',
      observed: 100n,
      pendingSince: expect.any(Date),
    });
    await world.pass(30);
    await world.tick();
    expect(await world.alerts()).toEqual([]);
    await world.pass(30);
    await world.tick();
    await world.tick();

    const [alert, ...others] = await world.alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      alertRuleId: id,
      state: 'firing',
      observed: 100n,
      peak: 100n,
      toldCount: 1,
    });
    expect(await world.rule(id)).toMatchObject({ state: 'firing', pendingSince: null });
    const events = await world.events();
    expect(events.map(({ type, data }) => ({ type, data }))).toEqual([
      {
        type: 'alert.fired',
        data: {
          alert_rule_id: id,
          alert_id: alert!.id,
          name: 'Errors',
          metric: 'request_count',
          severity: 'warning',
          threshold: 1,
          observed: 100,
          window_started_at: alert!.windowStartedAt.toISOString(),
          window_ended_at: expect.any(String),
          filter: expect.objectContaining({ model: null }),
          repeat: 0,
        },
      },
    ]);
    expect(await world.mails()).toMatchObject([
      { memberId: world.memberId, alertId: alert!.id, alertRuleId: id, status: 'queued' },
    ]);
  });

  it('that is pending is ok again when it does not hold, and sends nothing', async () => {
    await many();
    const { id } = await world.addRule({ forSeconds: 60 });
    await world.tick();
    await none();
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'ok', pendingSince: null, observed: 0n });
    expect([await world.events(), await world.mails()]).toEqual([[], []]);
  });

  it('keeps firing for its time, then recovers, which mail tells and no event', async () => {
    await many();
    const { id } = await world.addRule({ keepFiringSeconds: 300 });
    await world.tick();
    await none();
    await world.tick();
    await world.pass(240);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'firing', notHeldSince: expect.any(Date) });
    await world.pass(60);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'ok', notHeldSince: null });
    expect(await world.alerts()).toMatchObject([
      { state: 'resolved', resolveReason: 'recovered', resolvedAt: expect.any(Date), peak: 100n },
    ]);
    expect(await subjects()).toEqual(['[Svc] Firing: Errors (warning)', '[Svc] Resolved: Errors (warning)']);
    expect(await world.events()).toHaveLength(1);
  });

  it('has no data below its least number of calls, and a firing one waits before it resolves for that', async () => {
    await world.setCalls({ calls: 19, failures: 19 });
    const { id } = await world.addRule(rate);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'no_data', observed: null });
    await failing();
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'firing', observed: 5_000n });
    await none();
    await world.tick();
    await world.pass(240);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'firing' });
    await world.pass(60);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'ok' });
    expect(await world.alerts()).toMatchObject([{ state: 'resolved', resolveReason: 'no_data' }]);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'no_data' });
    await healthy();
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'ok', observed: 0n });
  });

  it.each(['rule_changed', 'rule_disabled', 'rule_deleted'] as const)(
    'ends its alert with %s',
    async (reason) => {
      await many();
      const rule = await world.addRule();
      await world.tick();
      if (reason === 'rule_changed') await change(rule, { threshold: 1_000n }, reason);
      if (reason === 'rule_disabled') await change(rule, { enabled: false }, reason);
      if (reason === 'rule_deleted') {
        await new UnitOfWork(test.database).transaction(async (tx) => {
          const before = await world.rules.lockRule(tx, world.organizationId, rule.id, null);
          await world.rules.deleteRule(tx, before!);
        });
      }
      expect(await world.alerts()).toMatchObject([{ state: 'resolved', resolveReason: reason }]);
      expect(await subjects()).toHaveLength(2);
      await world.tick();
      expect(await world.alerts()).toHaveLength(1);
    },
  );

  it('is told again after its time', async () => {
    await many();
    await world.addRule({ repeatSeconds: 3_600 });
    await world.tick();
    await world.pass(3_600);
    await world.tick();
    await world.tick();
    expect((await world.events()).map(({ data }) => data['repeat'])).toEqual([0, 1]);
    expect(await subjects()).toEqual([
      '[Svc] Firing: Errors (warning)',
      '[Svc] Still firing: Errors (warning)',
    ]);
  });

  it('that is muted fires, records and sends nothing, and tells what still fires when the mute ends', async () => {
    await many();
    const { id } = await world.addRule({ mutedUntil: new Date(Date.now() + 3_600_000) });
    await world.tick();
    expect(await world.alerts()).toMatchObject([{ state: 'firing', toldCount: 0, lastToldAt: null }]);
    expect([await world.events(), await world.mails()]).toEqual([[], []]);
    await world.pass(3_700);
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'firing' });
    expect((await world.events()).map(({ data }) => data['repeat'])).toEqual([0]);
    expect(await subjects()).toEqual(['[Svc] Firing: Errors (warning)']);
  });

  it('of a month fires once in it, and resolves when the next one begins', async () => {
    await test.database.prisma.usageDay.create({
      data: {
        organizationId: world.organizationId,
        day: new Date(),
        projectId: '',
        apiKeyId: 'key_1',
        model: 'acme/small',
        provider: 'acme',
        requestCount: 1n,
        inputTokens: 0n,
        cachedInputTokens: 0n,
        cacheWriteTokens: 0n,
        outputTokens: 0n,
        reasoningTokens: 0n,
        customerNanos: 500n,
      },
    });
    const { id } = await world.addRule({ metric: 'spend_nanos', period: 'month', threshold: 500n });
    await world.tick();
    await world.tick();
    expect(await world.alerts()).toHaveLength(1);
    await test.database.pool.query(`UPDATE alerts SET period_key = '2020-01'`);
    await world.tick();
    expect(await world.alerts()).toMatchObject([{ state: 'resolved', resolveReason: 'recovered' }]);
    expect(await world.rule(id)).toMatchObject({ state: 'ok' });
  });

  it('that stays as it is, is written once a minute only', async () => {
    await many();
    const { id } = await world.addRule({ threshold: 1_000n });
    await world.tick();
    const { evaluatedAt: first } = await world.rule(id);
    await world.tick();
    expect((await world.rule(id)).evaluatedAt).toEqual(first);
    await test.database.pool.query(`UPDATE alert_rules SET evaluated_at = evaluated_at - interval '1 min'`);
    await world.tick();
    expect((await world.rule(id)).evaluatedAt!.getTime()).toBeGreaterThan(first!.getTime());
  });

  it('whose target is gone is disabled, and its alert ends', async () => {
    const { prisma } = test.database;
    const budget = await prisma.budget.create({
      data: {
        id: 'bud_1',
        organizationId: world.organizationId,
        name: 'Team',
        scope: 'organization',
        scopeId: world.organizationId,
        period: 'day',
        amountNanos: 100n,
        action: 'warn',
        warnAtBps: 8_000,
        spends: { create: { periodKey: new Date().toISOString().slice(0, 10), spentNanos: 85n } },
      },
    });
    const filter = { ...newSettings.filter, budget_id: budget.id };
    const { id } = await world.addRule({ metric: 'budget_consumed_bps', threshold: 8_000n, filter });
    await world.tick();
    expect(await world.rule(id)).toMatchObject({ state: 'firing', observed: 8_500n });
    await prisma.budget.delete({ where: { id: budget.id } });
    await world.tick();
    expect(await world.rule(id)).toMatchObject({
      enabled: false,
      disabledReason: 'target_gone',
      state: 'ok',
    });
    expect(await world.alerts()).toMatchObject([{ state: 'resolved', resolveReason: 'rule_disabled' }]);
    expect(await prisma.auditEntry.findMany()).toMatchObject([
      { action: 'alert_rule.update', actorType: 'system' },
    ]);
  });

  it('sends 20 mails an hour at most, then one that says so', async () => {
    await world.addRule();
    for (let count = 0; count < 12; count++) {
      await many();
      await world.tick();
      await none();
      await world.tick();
    }
    const mails = await world.mails();
    expect(mails).toHaveLength(24);
    expect(mails.filter(({ status }) => status === 'queued')).toHaveLength(21);
    expect(mails.filter(({ subject }) => subject === '[Svc] Too many emails: Errors')).toHaveLength(1);
    expect(mails.filter(({ error }) => error === 'rate_limited')).toHaveLength(3);
    expect(await world.events()).toHaveLength(12);
  });
});

describe('a metric', () => {
  it('is due while an enabled rule watches it, however long none did', async () => {
    const { evaluation } = world;
    await test.database.pool.query(`UPDATE alert_ticks SET due_at = now() - interval '1 day'`);
    expect(await evaluation.claim()).toBeNull();
    expect(await evaluation.figures()).toMatchObject({ lagSeconds: 0 });

    const { id } = await world.addRule();
    expect((await evaluation.figures()).lagSeconds).toBeGreaterThan(86_000);
    const claim = (await evaluation.claim())!;
    expect(claim.metric).toBe('request_count');
    await evaluation.finish(claim, 0);

    await test.database.pool.query('UPDATE alert_rules SET enabled = false WHERE id = $1', [id]);
    expect(await evaluation.claim()).toBeNull();
  });
});

describe('workers at once', () => {
  it('open one alert, and tell it once', async () => {
    await many();
    for (let count = 0; count < 5; count++) await world.addRule();
    const others = Array.from({ length: 4 }, () => new AlertWorld(test.database).evaluation);
    await Promise.all(others.map((evaluation) => world.tick(evaluation)));
    expect(await world.alerts()).toHaveLength(5);
    expect(await world.events()).toHaveLength(5);
    expect(await world.mails()).toHaveLength(5);
  });

  it('write nothing under a claim that has lapsed', async () => {
    await many();
    const { id } = await world.addRule();
    const [slow, fast] = [world.evaluation, new AlertWorld(test.database).evaluation];
    const claims = [];
    for (let claim = await slow.claim(); claim !== null; claim = await slow.claim()) claims.push(claim);
    const claim = claims.find(({ metric }) => metric === 'request_count')!;
    const observed = await slow.judge('request_count');
    await test.database.pool.query('UPDATE alert_ticks SET lease_until = NULL');
    await world.tick(fast);
    expect(await world.alerts()).toHaveLength(1);
    expect(await slow.recordObservations(claim, observed)).toBe(false);
    expect(await world.events()).toHaveLength(1);
    expect(await world.rule(id)).toMatchObject({ state: 'firing' });
  });

  it('leave a rule alone that was changed after it was observed', async () => {
    await many();
    const rule = await world.addRule();
    await world.tick();
    await none();
    await test.database.pool.query(
      `UPDATE alert_ticks SET due_at = now() + interval '1 hour' WHERE metric <> 'request_count'`,
    );
    await test.database.pool.query(
      `UPDATE alert_ticks SET due_at = now() - interval '1 s' WHERE metric = 'request_count'`,
    );
    const claim = (await world.evaluation.claim())!;
    const observed = await world.evaluation.judge(claim.metric);
    await change(rule, { threshold: 50n }, 'rule_changed');
    expect(await world.evaluation.recordObservations(claim, observed)).toBe(true);
    expect(await world.alerts()).toMatchObject([{ resolveReason: 'rule_changed' }]);
    expect(await world.rule(rule.id)).toMatchObject({ state: 'ok', evaluatedAt: expect.any(Date) });
  });
});
