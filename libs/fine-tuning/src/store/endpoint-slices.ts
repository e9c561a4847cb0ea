import { prismaOf, type Transaction } from '@svc/database';
import { type FineTuningEndpointRun } from '@svc/database/rows';
import { type HoldDecision, type OrganizationPrices } from '@svc/ledger';
import { nanos, type Nanos } from '@svc/kernel';
import { StandingHolds } from '@svc/ledger/store';
import { endOf, priceOfSeconds, type Slice, usedSeconds } from '../rules/endpoints/metering';
import { paidParts } from '../rules/prices/paid-parts';

/** The cost of slices, and the holds of those that are not settled. */
interface SliceSums {
  readonly last: Slice;
  readonly slices: readonly Slice[];
  /** Charged, and held beside it: the most that wallet and own account pay for the run by now. */
  readonly committed: Nanos;
}

/** Who pays for what. */
type PaidRun = Pick<
  FineTuningEndpointRun,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'apiKeyId'
  | 'model'
  | 'provider'
  | 'credentialId'
  | 'pricePerHourNanos'
>;

/** The cost of seconds of the run, at so many basis points of its price. */
export const costOfSeconds = (
  { credentialId, pricePerHourNanos }: Pick<PaidRun, 'credentialId' | 'pricePerHourNanos'>,
  seconds: number,
  priceBps: number,
) => paidParts({ credentialId, priceBps }, (bps) => priceOfSeconds(seconds, nanos(pricePerHourNanos), bps));

/** The wallet's part of a slice that is held now, in basis points of the price of the run. */
export const sliceBps = (
  { credentialId }: Pick<PaidRun, 'credentialId'>,
  { priceBps, ownCredentialBps }: OrganizationPrices,
): number => (credentialId === null ? priceBps : ownCredentialBps);

/** Seconds of a run that are paid ahead. Each has a standing hold of its own, which can be held once, and settled once. */
export class EndpointSlices {
  private readonly holds = new StandingHolds();

  /**
   * Holds a slice of a run, which must be noted in the same transaction. Locks the wallet. A second one with its number fails.
   * @param priceBps what the wallet pays, in basis points of the price
   * @returns what is held, or what refused it: then nothing is held.
   */
  openSlice(
    tx: Transaction,
    run: PaidRun,
    { number, seconds }: Slice,
    priceBps: number,
  ): Promise<HoldDecision> {
    const cost = costOfSeconds(run, seconds, priceBps);
    return this.holds.open(tx, {
      id: holdOf(run, number),
      organizationId: run.organizationId,
      projectId: run.projectId,
      apiKeyId: run.apiKeyId,
      kind: 'fine_tuning_endpoint',
      model: run.model,
      provider: run.provider,
      amount: cost.charge,
      ...(cost.both > cost.charge && { budgetAmount: cost.both }),
    });
  }

  /** @param run which is there by now. */
  async noteSlice(
    tx: Transaction,
    { id }: Pick<PaidRun, 'id'>,
    slice: Slice,
    { held, priceBps }: { readonly held: Nanos; readonly priceBps: number },
  ): Promise<void> {
    const { number, fromSecond, seconds } = slice;
    await prismaOf(tx).fineTuningEndpointSlice.create({
      data: { runId: id, number, fromSecond, seconds, heldNanos: held, priceBps },
    });
  }

  /** @param run locked. */
  async sums(tx: Transaction, run: FineTuningEndpointRun): Promise<SliceSums> {
    const rows = await prismaOf(tx).fineTuningEndpointSlice.findMany({
      where: { runId: run.id },
      orderBy: { number: 'asc' },
    });
    const last = rows.at(-1);
    if (last === undefined) throw new Error(`A run has a slice from its start on: ${run.id}`);
    const committed = rows.reduce((sum, row) => {
      const { providerCost } = costOfSeconds(run, row.usedSeconds ?? row.seconds, row.priceBps);
      return sum + (row.chargedNanos ?? row.heldNanos) + providerCost;
    }, 0n);
    return { last, slices: rows, committed: nanos(committed) };
  }

  /**
   * Settles the slices that are over, to the second, with their ledger entries. Locks the wallet where there is one.
   * @param run locked.
   * @param runSeconds how long it has served.
   * @param hasEnded also those that it has not used up.
   * @returns what was charged.
   */
  async settleSlice(
    tx: Transaction,
    run: FineTuningEndpointRun,
    runSeconds: number,
    hasEnded: boolean,
  ): Promise<Nanos> {
    const prisma = prismaOf(tx);
    const open = await prisma.fineTuningEndpointSlice.findMany({
      where: { runId: run.id, settledAt: null },
      orderBy: { number: 'asc' },
    });
    let sum = 0n;
    for (const slice of open) {
      if (!hasEnded && endOf(slice) > runSeconds) break;
      const used = usedSeconds(slice, runSeconds);
      const { charge, providerCost } = costOfSeconds(run, used, slice.priceBps);
      const charged = await this.holds.settle(tx, holdOf(run, slice.number), charge, providerCost);
      if (charged === null) throw new Error(`A slice that is open has a hold: ${run.id}`);
      await prisma.$executeRaw`
        UPDATE fine_tuning_endpoint_slices SET used_seconds = ${used}, charged_nanos = ${charged}::bigint, settled_at = clock_timestamp()
        WHERE run_id = ${run.id} AND number = ${slice.number} AND settled_at IS NULL`;
      sum += charged;
    }
    if (sum > 0n) {
      await prisma.$executeRaw`
        UPDATE fine_tuning_endpoint_runs SET charged_nanos = charged_nanos + ${sum}::bigint WHERE id = ${run.id}`;
    }
    return nanos(sum);
  }
}

const holdOf = ({ id }: Pick<PaidRun, 'id'>, number: number): string => `${id}.${String(number)}`;
