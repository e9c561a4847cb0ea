import { type z } from 'zod';
import { nanosToJson } from '@svc/kernel';
import { type BudgetRecord } from '@svc/persistence';
import { presentTime, presentTimeOrNull } from '@svc/platform/api';
import { type budget } from './budget-schema';

export const presentBudget = (record: BudgetRecord): z.input<typeof budget> => ({
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  scope: record.scope,
  scope_id: record.scopeId,
  period: record.period,
  amount_nanos: nanosToJson(record.amount),
  action: record.action,
  warn_at_bps: record.warnAtBps,
  enabled: record.enabled,
  spent_nanos: record.spent === null ? null : nanosToJson(record.spent),
  resets_at: presentTimeOrNull(record.resetsAt),
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
