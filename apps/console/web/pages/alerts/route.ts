import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { AlertsIcon } from '../../ui/icons/icons';
import { alertList, ruleList } from './list';

/** `/console/alerts`: what has fired, and the rules that watch. */
export const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts',
  validateSearch: address({
    tab: oneOf('rules'),
    ...alertList.address,
    ...ruleList.address,
    create: flag,
  }),
  staticData: {
    title: 'Alerts',
    group: 'control',
    icon: AlertsIcon,
    permission: 'alert:read',
    what: 'alerts',
    commands: [
      { label: 'Create alert rule', permission: 'alert:write', search: { tab: 'rules', create: 'true' } },
    ],
  },
});

/** `/console/alerts/rules/alr_…`: one rule. */
export const alertRuleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts/rules/$alertRuleId',
  staticData: { title: 'Alert rule', permission: 'alert:read', what: 'alerts', opensIds: 'alertRule' },
});

/** `/console/alerts/alt_…`: one alert. */
export const alertRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/alerts/$alertId',
  staticData: { title: 'Alert', permission: 'alert:read', what: 'alerts', opensIds: 'alert' },
});
