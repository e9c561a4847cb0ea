import { type AlertFilter } from './metrics';

/** How mails call the filters of rules: as the console does. */
export const filterWords: Readonly<Record<keyof AlertFilter, string>> = {
  project_id: 'Project',
  api_key_id: 'Key',
  model: 'Model',
  provider: 'Provider',
  budget_id: 'Budget',
  webhook_endpoint_id: 'Webhook',
  integration_id: 'Integration',
};

/** Why an alert is resolved. */
export const reasonWords: Readonly<Record<string, string>> = {
  recovered: 'Recovered',
  no_data: 'No more data',
  rule_changed: 'Rule changed',
  rule_disabled: 'Rule disabled',
  rule_deleted: 'Rule deleted',
};
