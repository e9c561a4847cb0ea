import { Injectable } from '@nestjs/common';
import { type z } from 'zod';
import { testMail } from '@svc/alerts';
import {
  type AlertRuleBreak,
  type AlertRuleFilter,
  type AlertRuleRecord,
  type AlertRuleSettings,
  AlertRuleStore,
  type NotificationRecord,
  notificationsOf,
} from '@svc/alerts/store';
import { known, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { GatewayError, type JsonValue, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields } from '@svc/database';
import { presentSettings, RULES_MAX, type alertRuleChange, type newAlertRule } from './alert-rule-schema';
import { ToldRecipients } from './told-recipients';
import { WatchedTargets } from './watched-targets';

const TESTS_AN_HOUR_MAX = 10;

/** An organization's alert rules. The worker evaluates them. */
@Injectable()
export class AlertRules {
  constructor(
    private readonly store: AlertRuleStore,
    private readonly targets: WatchedTargets,
    private readonly recipients: ToldRecipients,
    private readonly mutations: Mutations,
  ) {}

  list(caller: Caller, page: Page, filter: AlertRuleFilter): Promise<Slice<AlertRuleRecord>> {
    return this.store.listRules(caller.organizationId, page, filter, caller.projectId);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<AlertRuleRecord> {
    return known(await this.store.findRule(organizationId, id, projectId));
  }

  /** @throws GatewayError `invalidRequest`, `permissionDenied`, or `conflict` above the most rules. */
  async create(caller: Caller, body: z.output<typeof newAlertRule>): Promise<AlertRuleRecord> {
    const { organizationId } = caller;
    const { filter, projectId } = await this.targets.resolve(caller, body);
    await this.recipients.require(caller, body.notify.member_ids, body.notify.integration_ids);
    return this.mutations.run(caller, async ({ tx, newId, audit }) => {
      const count = await this.store.lockRuleCount(tx, organizationId);
      requireRoom(count, RULES_MAX, 'alert rules', 'delete one first');
      const settings = settingsOf({ ...body, filter });
      const created = await this.store.createRule(tx, {
        ...settings,
        id: newId('alertRule'),
        organizationId,
        projectId,
      });
      await audit('alert_rule.create', created.id, initialFields(audited(created)));
      return created;
    });
  }

  /** @throws GatewayError `notFound`, `invalidRequest`, `permissionDenied`. */
  async change(caller: Caller, id: string, body: z.output<typeof alertRuleChange>): Promise<AlertRuleRecord> {
    if (body.notify !== undefined) {
      await this.recipients.require(caller, body.notify.member_ids, body.notify.integration_ids);
    }
    return this.locked(caller, id, async (before, { tx, audit }) => {
      const wanted = { ...presentSettings(before), ...definedOf(body) };
      const isRetargeted = [body.metric, body.period, body.filter].some((field) => field !== undefined);
      const { filter, projectId } = isRetargeted ? await this.targets.resolve(caller, wanted) : before;
      const settings = settingsOf({ ...wanted, filter });
      const changes = changedFields(audited(before), audited({ ...before, ...settings }));
      if (Object.keys(changes).length === 0) return before;
      await audit('alert_rule.update', id, changes, audited(before));
      return this.store.changeRule(tx, before, projectId, settings, breakOf(before, changes));
    });
  }

  /** @throws GatewayError `notFound`. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.locked(caller, id, async (before, { tx, audit }) => {
      await audit('alert_rule.delete', id, { name: { from: before.name } }, audited(before));
      await this.store.deleteRule(tx, before);
    });
  }

  /** @throws GatewayError `notFound`; `rateLimit` after ten tests within an hour. */
  test(caller: Caller, id: string): Promise<readonly NotificationRecord[]> {
    return this.locked(caller, id, async (rule, { tx, at, audit }) => {
      const waitSeconds = await this.store.noteTest(tx, rule, TESTS_AN_HOUR_MAX);
      if (waitSeconds > 0) {
        throw new GatewayError(
          'rateLimit',
          `A rule takes ${String(TESTS_AN_HOUR_MAX)} tests an hour. Try again in ${String(waitSeconds)} s.`,
          { retryAfterMs: waitSeconds * 1_000 },
        );
      }
      await audit('alert_rule.test', id);
      return notificationsOf(tx, await this.store.queueTest(tx, { rule, ...testMail(rule) }, at));
    });
  }

  private locked<T>(
    caller: Caller,
    id: string,
    work: (before: AlertRuleRecord, mutation: Mutation) => Promise<T>,
  ): Promise<T> {
    const { organizationId, projectId } = caller;
    return this.mutations.run(caller, async (mutation) =>
      work(known(await this.store.lockRule(mutation.tx, organizationId, id, projectId)), mutation),
    );
  }
}

type RuleBody = Omit<z.output<typeof newAlertRule>, 'notify'> & {
  readonly notify: {
    readonly roles: readonly string[];
    readonly member_ids: readonly string[];
    readonly integration_ids: readonly string[];
  };
};

const settingsOf = (body: RuleBody): AlertRuleSettings => ({
  name: body.name,
  metric: body.metric,
  threshold: BigInt(body.threshold),
  windowSeconds: body.window_seconds,
  period: body.period,
  filter: body.filter,
  minRequests: body.min_requests,
  forSeconds: body.for_seconds,
  keepFiringSeconds: body.keep_firing_seconds,
  repeatSeconds: body.repeat_seconds,
  severity: body.severity,
  notifyRoles: body.notify.roles,
  notifyMemberIds: body.notify.member_ids,
  notifyIntegrationIds: body.notify.integration_ids,
  enabled: body.enabled,
  mutedUntil: body.muted_until === null ? null : new Date(body.muted_until),
});

/** The fields that a body gives. */
const definedOf = (body: z.output<typeof alertRuleChange>) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as Partial<
    z.output<typeof newAlertRule>
  >;

const WATCHED_FIELDS = ['metric', 'threshold', 'window_seconds', 'period', 'filter'];

/** The open alert is no longer asked for, if the rule is disabled or watches something else. */
function breakOf(before: AlertRuleRecord, changes: Readonly<Record<string, unknown>>): AlertRuleBreak {
  if (before.enabled && 'enabled' in changes) return 'rule_disabled';
  return WATCHED_FIELDS.some((field) => field in changes) ? 'rule_changed' : 'none';
}

const audited = (rule: AlertRuleRecord): Readonly<Record<string, JsonValue>> => presentSettings(rule);
