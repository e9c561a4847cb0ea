import { z } from 'zod';
import {
  givenTime,
  id,
  line,
  name,
  nanosAmount,
  nanosSum,
  presenter,
  presentTime,
  timestamp,
} from '@svc/api';
import { idPrefixes, jsonInteger, nanos, nanosToJson } from '@svc/kernel';
import { budgetPeriods, budgetScopes } from '@svc/ledger';
import { type BudgetPeriod, type BudgetRecord, type BudgetSpending } from '@svc/ledger/store';

/** Of an organization. */
export const BUDGETS_MAX = 10_000;

const scope = z.enum(budgetScopes).meta({ description: 'Whose calls are counted.' });

const SCOPE_ID_MAX = 256;
const scopeId = line(SCOPE_ID_MAX).meta({
  description: 'Whom the budget names, or `*`: each of the scope has an amount of its own.',
  example: `${idPrefixes.project}_06dpm2q4x8k3c0v9r7t5w1hzny`,
});

const projectId = id('project').nullable();

const period = z.enum(budgetPeriods).meta({
  description:
    'UTC day, week by ISO 8601, UTC calendar month, quarter, or session. A caller names a session by the header ' +
    '`Svc-Session-Id`. Each session has its own spend.',
});

const REASON_MAX = 500;
const budgetOverride = z
  .strictObject({
    amount_nanos: nanosAmount().min(0),
    until: givenTime().meta({
      description: 'In the future, at most 366 days. From then on `amount_nanos` holds.',
    }),
    reason: line(REASON_MAX).meta({ example: 'Launch week' }),
  })
  .nullable()
  .meta({ id: 'BudgetOverride', description: 'Another amount for a while, up or down; null for none.' });

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
    project_id: projectId.meta({
      description: 'Only calls of this project are counted; null for all.',
      example: null,
    }),
    period,
    ...changeable,
    amount_nanos: nanosAmount().min(0),
    override: budgetOverride.meta({ example: null }),
    amount_in_force_nanos: nanosAmount()
      .min(0)
      .meta({ description: 'That of the override until it ends, else `amount_nanos`.' }),
    spent_nanos: nanosSum().nullable().meta({
      description:
        'Spend in the current period, in nano-dollars; null for sessions and for `*`, which have no one spend.',
      example: 420_000_000,
    }),
    resets_at: timestamp()
      .nullable()
      .meta({ description: 'When the next period begins; null if the period is a session.' }),
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
  .meta({
    id: 'BudgetPeriod',
    description: 'What the scope of a budget spent in one day, week, month or quarter.',
  });

export const presentPeriod = presenter<typeof budgetPeriod, BudgetPeriod>(budgetPeriod, {
  spent_nanos: ({ spent }) => jsonInteger(spent),
});

export const budgetSpending = z
  .object({
    scope_id: z.string().meta({ example: 'eu_06dpm2q4x8k3c0v9r7t5w1hzny' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'What it is called; null where no name is kept.', example: 'ana@example.com' }),
    session_id: z
      .string()
      .nullable()
      .meta({ description: 'Null if the period is no session.', example: null }),
    spent_nanos: nanosSum().meta({ example: 420_000_000 }),
    reserved_nanos: nanosSum().meta({ description: 'What calls in flight may still cost.', example: 0 }),
    consumed_bps: z
      .int()
      .min(0)
      .meta({ description: 'Spent, of the amount in force, in basis points rounded down.', example: 4_200 }),
  })
  .meta({ id: 'BudgetSpending', description: 'What one of a budget’s scope spent in the current period.' });

export const presentSpending = presenter<typeof budgetSpending, BudgetSpending>(budgetSpending, {
  spent_nanos: ({ spent }) => jsonInteger(spent),
  reserved_nanos: ({ reserved }) => jsonInteger(reserved),
});

export const spendingFilters = {
  scope_id: scopeId.optional().meta({
    description: 'Only theirs. An end user by their id or their name. `periods` of `*` needs it.',
    example: 'eu_06dpm2q4x8k3c0v9r7t5w1hzny',
  }),
};

const WARN_AT_BPS_DEFAULT = 8_000;

export const newBudget = z
  .strictObject({
    ...changeable,
    scope,
    scope_id: scopeId.optional().meta({
      description:
        'A project, an API key or a member of the organization, a model, or an end user by their id or their name; `*` for an ' +
        'amount of each. Not needed for the scope `organization`.',
    }),
    project_id: projectId.default(null).meta({
      description: 'Counts only calls of this project; for the scopes `member`, `model` and `end_user`.',
      example: null,
    }),
    period,
    warn_at_bps: changeable.warn_at_bps.default(WARN_AT_BPS_DEFAULT),
    enabled: changeable.enabled.default(true),
  })
  .meta({ id: 'NewBudget' });

const whatChanges = z.strictObject({ ...changeable, override: budgetOverride.meta({ example: null }) });

export const budgetChange = whatChanges
  .partial()
  .meta({ id: 'BudgetChange', description: 'The scope and period of a budget cannot change.' });

export const overrideOf = (given: z.output<typeof budgetOverride>): BudgetRecord['override'] =>
  given && { amount: nanos(given.amount_nanos), until: new Date(given.until), reason: given.reason };

export const budgetFilters = {
  scope: scope.optional(),
  scope_id: scopeId.optional(),
  project_id: id('project').optional(),
  enabled: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  applies_to: id('apiKey')
    .optional()
    .meta({
      description:
        'Only the enabled budgets that count every call of this API key: its own, its project’s, its member’s and its ' +
        'organization’s. Those of sessions count only calls that name one.',
    }),
  end_user: line(SCOPE_ID_MAX).optional().meta({
    description: 'With `applies_to`: also those that count this end user, by their id or their name.',
    example: 'eu_06dpm2q4x8k3c0v9r7t5w1hzny',
  }),
};

const computed = {
  amount_nanos: ({ amount }: BudgetRecord) => nanosToJson(amount),
  override: ({ override }: BudgetRecord) =>
    override && {
      amount_nanos: nanosToJson(override.amount),
      until: presentTime(override.until),
      reason: override.reason,
    },
};

export const presentBudget = presenter<typeof budget, BudgetRecord>(budget, {
  ...computed,
  amount_in_force_nanos: ({ amountInForce }) => nanosToJson(amountInForce),
  spent_nanos: ({ spent }) => (spent === null ? null : jsonInteger(spent)),
});

/** The fields of a budget that audit entries show. */
export const auditedBudget = presenter<typeof whatChanges, BudgetRecord>(whatChanges, computed);
