import { prismaOf, type Transaction } from '@svc/database';
import { type FineTuningEndpointRun } from '@svc/database/rows';
import { type HoldDecision } from '@svc/ledger';
import { nanos, type Nanos } from '@svc/kernel';
import { StandingHolds } from '@svc/ledger/store';
import { endOf, priceOfSeconds, type Slice, usedSeconds } from '../rules/endpoints/metering';

/** What slices have cost, and what is held for those that are not settled. */
interface SliceSums {
  readonly last: Slice;
  readonly slices: readonly Slice[];
  /** Charged, and held beside it: the most that the run costs by now. */
  readonly committed: Nanos;
}

/** Who pays for what. */
type PaidRun = Pick<
  FineTuningEndpointRun,
  'id' | 'organizationId' | 'projectId' | 'apiKeyId' | 'model' | 'provider' | 'pricePerHourNanos'
>;

/** Seconds of a run that are paid ahead. Each has a standing hold of its own, which can be held once, and settled once. */
export class EndpointSlices {
  private readonly holds = new StandingHolds();

  /**
   * Holds a slice of a run, which must be noted in the same transaction. Locks the wallet. A second one with its number fails.
   * @returns what is held, or what refused it: then nothing is held.
   */
  open(tx: Transaction, run: PaidRun, { number, seconds }: Slice): Promise<HoldDecision> {
    return this.holds.open(tx, {
      id: holdOf(run, number),
      organizationId: run.organizationId,
      projectId: run.projectId,
      apiKeyId: run.apiKeyId,
      kind: 'fine_tuning_endpoint',
      model: run.model,
      provider: run.provider,
      amount: priceOfSeconds(seconds, nanos(run.pricePerHourNanos)),
    });
  }

  /** @param run which is there by now. */
  async note(tx: Transaction, { id }: Pick<PaidRun, 'id'>, slice: Slice, held: Nanos): Promise<void> {
    const { number, fromSecond, seconds } = slice;
    await prismaOf(tx).fineTuningEndpointSlice.create({
      data: { runId: id, number, fromSecond, seconds, heldNanos: held },
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
    const committed = rows.reduce((sum, row) => sum + (row.chargedNanos ?? row.heldNanos), 0n);
    return { last, slices: rows, committed: nanos(committed) };
  }

  /**
   * Settles the slices that are over, to the second, with their ledger entries. Locks the wallet where there is one.
   * @param run locked.
   * @param runSeconds how long it has served.
   * @param hasEnded also those that it has not used up.
   * @returns what was charged.
   */
  async settle(
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
      const cost = priceOfSeconds(used, nanos(run.pricePerHourNanos));
      const charged = await this.holds.settle(tx, holdOf(run, slice.number), cost);
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
