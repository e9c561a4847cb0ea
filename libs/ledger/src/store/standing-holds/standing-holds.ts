import { prismaOf, type Transaction } from '@svc/database';
import { nanos, type Nanos, type NewId, ZERO_NANOS } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type HoldDecision } from '../../rules/budget/evaluate-budgets';
import { holdDecision, type HoldDecisionRow } from '../wallet/hold-decision';

/** The kind of the charge in the ledger. */
type StandingHoldKind = 'fine_tuning' | 'fine_tuning_endpoint';

interface NewStandingHold {
  /** The id of its subject. Another hold never has the same id, also after this one was settled. */
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string | null;
  /** Null where a user asked. */
  readonly apiKeyId: string | null;
  readonly kind: StandingHoldKind;
  /** The model that its usage is summed by. */
  readonly model: string;
  readonly provider: string;
  readonly amount: Nanos;
  /** The amount that its budgets hold, where the organization's own account at the provider is paid, too. Absent: the same. */
  readonly budgetAmount?: Nanos;
}

/**
 * Money that is held for something that outlives every process, by the rule of calls: wallet and budgets
 * (docs/reference/money.md#holds). The recovery of calls knows nothing of it: whoever opens one settles it.
 */
export class StandingHolds {
  constructor(private readonly newId: NewId = systemIds) {}

  /**
   * Holds the amount as a whole, in the transaction of what it is for. Locks the wallet until it ends.
   * @returns what is held, or what refused it. A refusal leaves nothing behind but the time of a budget's first one.
   */
  async open(tx: Transaction, hold: NewStandingHold): Promise<HoldDecision> {
    const row = {
      id: hold.id,
      organization_id: hold.organizationId,
      project_id: hold.projectId,
      api_key_id: hold.apiKeyId,
      kind: hold.kind,
      model: hold.model,
      provider: hold.provider,
      nanos: String(hold.amount),
      ...(hold.budgetAmount !== undefined && { budget_nanos: String(hold.budgetAmount) }),
    };
    const [decided] = await prismaOf(tx).$queryRaw<HoldDecisionRow[]>`
      SELECT held_nanos::text, NULL AS budget_held_nanos, refused_budget_id, refused_budget_name, warning_bps::text
      FROM open_standing_hold(${JSON.stringify(row)}::jsonb)`;
    if (decided === undefined) throw new Error('A hold was not decided.');
    return holdDecision(decided);
  }

  /**
   * Ends a hold once: charges at most what was held; the rest is the platform's loss. Locks the wallet.
   * @param providerCost what the organization's own account at the provider pays, which its budgets count too
   * @returns what was charged; null where it was settled before, or never held: nothing was changed.
   */
  async settle(
    tx: Transaction,
    id: string,
    cost: Nanos,
    providerCost: Nanos = ZERO_NANOS,
  ): Promise<Nanos | null> {
    const charge = this.newId('walletTransaction');
    const overrun = this.newId('walletTransaction');
    const [settled] = await prismaOf(tx).$queryRaw<{ charged: bigint | null }[]>`
      SELECT settle_standing_hold(${id}, ${cost}::bigint, ${providerCost}::bigint, ${charge}, ${overrun}) AS charged`;
    return settled?.charged == null ? null : nanos(settled.charged);
  }
}
