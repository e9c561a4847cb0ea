import { Act, Get, List, Resource, type Call } from '@svc/api';
import { AlertStore } from '@svc/alerts/store';
import { type Collection } from '../collection';
import { alert, alertFilters, presentAlert } from './alert-schema';
import { Alerts } from './alerts';

const ids = { alert_id: 'alert' } as const;

@Resource({
  path: 'alerts',
  one: 'Alert',
  many: 'Alerts',
  tag: 'Alerts',
  description: 'Times for which alert rules fired, with who was told. They are kept for 400 days.',
})
class AlertsController {
  constructor(private readonly alerts: Alerts) {}

  @List('', {
    summary: 'The alerts, newest first.',
    description:
      'A page can hold fewer items than its limit, or none, while `has_more` is true: continue at `next_cursor`.',
    permission: 'alert:read',
    scope: null,
    cursor: 'alert',
    query: alertFilters,
    item: alert,
  })
  async list({ caller, page, query }: Call<{ query: typeof alertFilters }>) {
    const { items, ...rest } = await this.alerts.list(caller, page, query);
    return { ...rest, items: items.map(presentAlert) };
  }

  @Get(':alert_id', {
    summary: 'One alert.',
    permission: 'alert:read',
    scope: null,
    ids,
    answer: alert,
  })
  async get({ caller, ids }: Call<{ ids: 'alert_id' }>) {
    return presentAlert(await this.alerts.get(caller, ids.alert_id));
  }

  @Act(':alert_id/acknowledge', {
    summary: 'Acknowledges an alert.',
    description: 'Silences its repeats, and changes no state. Whoever acknowledged it first stays noted.',
    permission: 'alert:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: alert,
  })
  async acknowledge({ caller, ids }: Call<{ ids: 'alert_id' }>) {
    return presentAlert(await this.alerts.acknowledge(caller, ids.alert_id));
  }
}

export const alerts: Collection = {
  controllers: [AlertsController],
  services: [Alerts],
  stores: [AlertStore],
};
