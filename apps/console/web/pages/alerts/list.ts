import { listOf } from '../../api/list';
import { idOf } from '../../browser/address';
import { choice, word } from '../../browser/list';
import { metrics } from './metrics';

/** Alerts that fired. */
export const alertList = listOf('/alerts', {
  state: choice(['firing', 'resolved']),
  rule: word(idOf('alertRule'), 'alert_rule_id'),
});

/** The rules that watch. `state` of the address is that of the alerts. */
export const ruleList = listOf('/alert-rules', {
  metric: choice(metrics),
  standing: choice(['ok', 'pending', 'firing', 'no_data'], 'state'),
  enabled: choice(['true', 'false']),
});
