import { randomBytes } from 'node:crypto';
import { type Database } from '@svc/database';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type Budget } from '../rules/budget/budget';
import { type HoldDecision } from '../rules/budget/evaluate-budgets';
import { type HoldRequest } from '../store/wallet/hold-request';
import { LedgerStore } from '../store/wallet/ledger-store';
import { WalletStore } from '../store/wallet/wallet-store';
import { holdOf, settlementOf, UNOBSERVED } from './ledger-world';

export type CallOptions = Partial<Omit<HoldRequest, 'holdMin' | 'holdMax'>> & {
  readonly holdMin?: number;
  readonly holdMax?: number;
};
export type BudgetOptions = Partial<Omit<Budget, 'id' | 'amount'>>;

/** An organization with credit. A test makes each of its calls and budgets in one line. */
export class BudgetedOrganization {
  private constructor(
    private readonly database: Database,
    readonly id: string,
    readonly ledger: LedgerStore,
  ) {}

  static async create(database: Database, creditNanos = 1_000_000): Promise<BudgetedOrganization> {
    const id = systemIds('organization');
    await database.prisma.organization.create({ data: { id, name: 'Acme' } });
    await new WalletStore(database).credit(id, nanos(creditNanos), 'test');
    return new BudgetedOrganization(database, id, new LedgerStore(database));
  }

  /** By default a blocking monthly budget of the organization that warns at 80 %. */
  async addBudget(amountNanos: number | bigint, options: BudgetOptions = {}): Promise<Budget> {
    const budget: Budget = {
      id: systemIds('budget'),
      name: 'Team',
      scope: 'organization',
      scopeId: this.id,
      projectId: null,
      period: 'month',
      override: null,
      action: 'block',
      warnAtBps: 8_000,
      enabled: true,
      ...options,
      amount: nanos(amountNanos),
    };
    const { amount, projectId, override, ...fields } = budget;
    await this.database.prisma.budget.create({
      data: {
        ...fields,
        projectId: projectId ?? '',
        amountNanos: amount,
        overrideAmountNanos: override?.amount ?? null,
        overrideUntil: override?.until ?? null,
        overrideReason: override?.reason ?? null,
        organizationId: this.id,
      },
    });
    return budget;
  }

  /** A key whose calls are counted by the budgets of a member. @returns its id. */
  async addKey(memberId: string | null): Promise<string> {
    const id = systemIds('apiKey');
    const secretSha256 = Uint8Array.from(randomBytes(32));
    const key = {
      id,
      organizationId: this.id,
      name: 'Key',
      prefix: 'svc_sk_',
      scopes: [],
      secretSha256,
      memberId,
    };
    await this.database.prisma.apiKey.create({ data: key });
    return id;
  }

  callOf({ holdMin = 100, holdMax = holdMin, ...options }: CallOptions = {}): HoldRequest {
    return holdOf(this.id, holdMin, { holdMax: nanos(holdMax), ...options });
  }

  hold(options: CallOptions = {}): Promise<HoldDecision> {
    return this.ledger.openHold(this.callOf(options));
  }

  /** A call from its hold to its settlement. */
  async spend(chargeNanos: number, options: CallOptions = {}): Promise<void> {
    const call = this.callOf({ holdMin: chargeNanos, ...options });
    await this.ledger.openHold(call);
    await this.settle(call, chargeNanos);
  }

  settle(call: HoldRequest, chargeNanos: number, providerNanos = 0): Promise<boolean> {
    const more = { ...UNOBSERVED, providerCost: nanos(providerNanos) };
    return this.ledger.settle(settlementOf(call, chargeNanos, more));
  }

  /** The budget's spend and reservations, by period. */
  async standing(budget: Budget): Promise<Record<string, { spent: bigint; reserved: bigint }>> {
    const rows = await this.database.prisma.budgetSpend.findMany({
      where: { budgetId: budget.id },
      orderBy: { periodKey: 'asc' },
    });
    return Object.fromEntries(
      rows.map((row) => [row.periodKey, { spent: row.spentNanos, reserved: row.reservedNanos }]),
    );
  }

  async wallet(): Promise<{ balance: bigint; held: bigint }> {
    const wallet = await this.database.prisma.wallet.findUniqueOrThrow({
      where: { organizationId: this.id },
    });
    return { balance: wallet.balanceNanos, held: wallet.heldNanos };
  }

  recordCount(): Promise<number> {
    return this.database.prisma.requestRecord.count({ where: { organizationId: this.id } });
  }
}
