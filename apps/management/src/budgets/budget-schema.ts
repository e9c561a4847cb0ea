import { z } from 'zod';
import { id, name, nanosAmount, nanosSum, presentTime, presentTimeOrNull, timestamp } from '@svc/api';
import { idPrefixes, jsonInteger, nanosToJson } from '@svc/kernel';
import { type BudgetPeriod, type BudgetRecord } from '@svc/ledger/store';

/** Of an organization. */
export const BUDGETS_MAX = 10_000;

const scope = z
  .enum(['organization', 'project', 'api_key'])
  .meta({ description: 'Whose calls are counted.' });

const scopeIdForm = new RegExp(
  `^(${idPrefixes.organization}|${idPrefixes.project}|${idPrefixes.apiKey})_[0-9a-hjkmnp-tv-z]{26}$`,
);
const scopeId = z
  .string()
  .regex(scopeIdForm, 'must be the id of an organization, a project or an API key')
  .meta({ example: `${idPrefixes.project}_06dpm2q4x8k3c0v9r7t5w1hzny` });

const period = z.enum(['day', 'month', 'session']).meta({
  description:
    'UTC day, UTC calendar month, or session. A caller names a session by the header `Svc-Session-Id`. Each session ' +
    'has its own spend.',
});

const changeable = {
  name: name(),
  amount_nanos: nanosAmount().positive(),
  action: z.enum(['warn', 'block']).meta({
    description:
      '`block` refuses a call whose estimate no longer fits, with 402 `budget_exceeded`. `warn` refuses nothing.',
  }),
  warn_at_bps: z.int().min(1).max(10_000).meta({
    description: 'Share of the amount, in basis points, from which answers carry `Svc-Budget-Warning`.',
    example: 8_000,
  }),
  enabled: z.boolean().meta({ description: 'A disabled budget neither warns nor blocks.' }),
};

export const budget = z
  .object({
    id: id('budget'),
    organization_id: id('organization'),
    scope,
    scope_id: scopeId,
    period,
    ...changeable,
    amount_nanos: nanosAmount().min(0),
    spent_nanos: nanosSum().nullable().meta({
      description: 'Spend in the current day or month, in nano-dollars; null if the period is a session.',
      example: 420_000_000,
    }),
    resets_at: timestamp()
      .nullable()
      .meta({ description: 'When the next day or month begins; null if the period is a session.' }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Budget', description: 'Caps what one scope spends in one period.' });

const day = () => z.iso.date().meta({ example: '2026-11-01' });

export const budgetPeriod = z
  .object({
    start: day().meta({ description: 'The first day, in UTC.' }),
    end: day().meta({ description: 'The first day after it, in UTC.', example: '2026-12-01' }),
    spent_nanos: nanosSum().meta({ example: 420_000_000 }),
  })
  .meta({ id: 'BudgetPeriod', description: 'What the scope of a budget spent in one day or month.' });

export const presentPeriod = ({ start, end, spent }: BudgetPeriod): z.input<typeof budgetPeriod> => ({
  start,
  end,
  spent_nanos: jsonInteger(spent),
});

const WARN_AT_BPS_DEFAULT = 8_000;

export const newBudget = z
  .strictObject({
    ...changeable,
    scope,
    scope_id: scopeId.optional().meta({
      description: 'A project or an API key of the organization. Not needed for the scope `organization`.',
    }),
    period,
    warn_at_bps: changeable.warn_at_bps.default(WARN_AT_BPS_DEFAULT),
    enabled: changeable.enabled.default(true),
  })
  .meta({ id: 'NewBudget' });

export const budgetChange = z
  .strictObject(changeable)
  .partial()
  .meta({ id: 'BudgetChange', description: 'The scope and period of a budget cannot change.' });

export const budgetFilters = {
  scope: scope.optional(),
  scope_id: scopeId.optional(),
  enabled: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  applies_to: id('apiKey')
    .optional()
    .meta({
      description:
        'Only the enabled budgets that count calls of this API key: its own, its project’s and its organization’s. Those of ' +
        'sessions count only calls that name one.',
    }),
};

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
  spent_nanos: record.spent === null ? null : jsonInteger(record.spent),
  resets_at: presentTimeOrNull(record.resetsAt),
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
