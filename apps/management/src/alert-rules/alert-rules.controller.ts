import { ApiKeyStore, MemberStore, ProjectStore } from '@svc/access/store';
import { AlertRuleStore } from '@svc/alerts/store';
import { Act, Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { IntegrationStore, WebhookEndpointStore } from '@svc/deliveries/store';
import { BudgetStore } from '@svc/ledger/store';
import { z } from 'zod';
import { alertNotification, presentNotification } from './alert-notification-schema';
import { type Collection } from '../collection';
import {
  alertRule,
  alertRuleChange,
  alertRuleFilters,
  newAlertRule,
  presentAlertRule,
  RULES_MAX,
} from './alert-rule-schema';
import { AlertRules } from './alert-rules';
import { ToldRecipients } from './told-recipients';
import { WatchedTargets } from './watched-targets';

const ids = { alert_rule_id: 'alertRule' } as const;

const alertTest = z
  .object({ notifications: z.array(alertNotification) })
  .meta({ id: 'AlertTest', description: 'The mails and messages that were queued.' });

@Resource({
  path: 'alert-rules',
  one: 'AlertRule',
  many: 'AlertRules',
  tag: 'Alert rules',
  description:
    'Rules that watch spend, calls, errors, latency, the wallet, budgets, webhooks or circuits, and fire at a threshold.',
})
class AlertRulesController {
  constructor(private readonly rules: AlertRules) {}

  @List('', {
    summary: 'The alert rules, newest first, with their states.',
    permission: 'alert:read',
    scope: null,
    cursor: 'alertRule',
    query: alertRuleFilters,
    item: alertRule,
  })
  async list({ caller, page, query }: Call<{ query: typeof alertRuleFilters }>) {
    const { items, hasMore } = await this.rules.list(caller, page, query);
    return { items: items.map(presentAlertRule), hasMore };
  }

  @Get(':alert_rule_id', {
    summary: 'One alert rule, with its state.',
    permission: 'alert:read',
    scope: null,
    ids,
    answer: alertRule,
  })
  async get({ caller, ids }: Call<{ ids: 'alert_rule_id' }>) {
    return presentAlertRule(await this.rules.get(caller, ids.alert_rule_id));
  }

  @Create('', {
    summary: 'Creates an alert rule.',
    description: `An organization can have ${String(RULES_MAX)} rules. A project’s key creates rules about its project.`,
    permission: 'alert:write',
    scope: null,
    approval: 'alert_rule.create',
    errors: ['conflict'],
    body: newAlertRule,
    answer: alertRule,
  })
  async create({ caller, body }: Call<{ body: typeof newAlertRule }>) {
    return presentAlertRule(await this.rules.create(caller, body));
  }

  @Change(':alert_rule_id', {
    summary: 'Changes, mutes, disables or enables an alert rule.',
    description:
      'Another metric, filter, threshold, window or period resolves its open alert. So does disabling it.',
    permission: 'alert:write',
    scope: null,
    approval: 'alert_rule.update',
    ids,
    body: alertRuleChange,
    answer: alertRule,
  })
  async change({ caller, ids, body }: Call<{ ids: 'alert_rule_id'; body: typeof alertRuleChange }>) {
    return presentAlertRule(await this.rules.change(caller, ids.alert_rule_id, body));
  }

  @Remove(':alert_rule_id', {
    summary: 'Deletes an alert rule.',
    description: 'Its open alert is resolved. Its alerts stay readable.',
    permission: 'alert:write',
    scope: null,
    approval: 'alert_rule.delete',
    ids,
  })
  async remove({ caller, ids }: Call<{ ids: 'alert_rule_id' }>) {
    await this.rules.remove(caller, ids.alert_rule_id);
  }

  @Act(':alert_rule_id/test', {
    summary: 'Sends a test mail.',
    description:
      'Sends a mail marked `[test]` to everybody whom the rule tells, also where it is disabled. There is no alert, no ' +
      'change of state and no event. A rule takes ten tests an hour.',
    permission: 'alert:write',
    scope: null,
    operation: 'testAlertRule',
    errors: ['rateLimit'],
    ids,
    answer: alertTest,
  })
  async test({ caller, ids }: Call<{ ids: 'alert_rule_id' }>) {
    const notifications = await this.rules.test(caller, ids.alert_rule_id);
    return { notifications: notifications.map(presentNotification) };
  }
}

export const alertRules: Collection = {
  controllers: [AlertRulesController],
  services: [AlertRules, ToldRecipients, WatchedTargets],
  stores: [
    AlertRuleStore,
    ApiKeyStore,
    BudgetStore,
    IntegrationStore,
    MemberStore,
    ProjectStore,
    WebhookEndpointStore,
  ],
};
