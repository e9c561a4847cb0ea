import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type NewId, type Page, type Slice } from '@svc/kernel';
import { type RolloutReason } from '../rules/rollouts/judge-rollout';
import { type KnownRollout, type RolloutChanges } from '../rules/rollouts/rollout-changes';
import { type RolloutDocument } from '../rules/rollouts/rollout-fields';
import { armsOf, type RolloutArms } from './rollout-arms';
import { toRolloutRecord, type RolloutRecord, type RolloutState } from './rollout-record';

/** How a rollout ends other than by a version of the policy. */
export interface RolloutEnd {
  readonly state: Extract<RolloutState, 'aborted' | 'completed'>;
  readonly reason: RolloutReason;
}

/** A rollout with what came of its calls, of the last 35 days. */
export type MeasuredRollout = RolloutRecord & { readonly arms: RolloutArms };

/** The rollouts of organizations (docs/rollouts.md). */
export class RolloutStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async listRollouts(organizationId: string, page: Page): Promise<Slice<MeasuredRollout>> {
    const { prisma } = this.database;
    const where = { organizationId, ...olderThan(page) };
    const rows = await prisma.rollout.findMany({ where, ...pageArguments(page) });
    const { items, hasMore } = sliceOf(rows, page, toRolloutRecord);
    return { items: await this.measured(items), hasMore };
  }

  async findRollout(organizationId: string, id: string): Promise<MeasuredRollout | null> {
    const row = await this.database.prisma.rollout.findFirst({ where: { organizationId, id } });
    if (row === null) return null;
    const [found] = await this.measured([toRolloutRecord(row)]);
    return found ?? null;
  }

  /** The rollouts that a new version of the policy is compared with: the rollouts that run, and those of these names. */
  known(organizationId: string, names: readonly string[]): Promise<readonly KnownRollout[]> {
    return knownRollouts(this.database.prisma, organizationId, names);
  }

  /** As {@link known}. Its caller has locked the organization against other versions; those that run cannot end meanwhile. */
  async lockKnown(
    tx: Transaction,
    organizationId: string,
    names: readonly string[],
  ): Promise<readonly KnownRollout[]> {
    const prisma = prismaOf(tx);
    // In one order, so that nobody who ends one of them waits for another.
    await prisma.$queryRaw`SELECT FROM rollouts WHERE organization_id = ${organizationId} AND state = 'running'
      ORDER BY id FOR NO KEY UPDATE`;
    return knownRollouts(prisma, organizationId, names);
  }

  /** Carries out what a version of the policy changes, in its transaction, after {@link lockKnown}. */
  async applyRolloutChanges(
    tx: Transaction,
    organizationId: string,
    { started, kept, removed }: RolloutChanges,
    newId: NewId,
  ): Promise<void> {
    const prisma = prismaOf(tx);
    if (started.length > 0) {
      await prisma.rollout.createMany({
        data: started.map((document) => ({
          id: newId('rollout'),
          organizationId,
          name: document.name,
          model: document.model,
          target: document.to,
          subject: document.by,
          ...changeable(document),
        })),
      });
    }
    for (const { id, document } of kept) {
      await prisma.rollout.update({ where: { id }, data: changeable(document) });
    }
    if (removed.length > 0) {
      await prisma.$executeRaw`UPDATE rollouts
        SET state = 'removed', ended_at = now(), due_at = NULL, lease_until = NULL
        WHERE id = ANY(${[...removed]}) AND state = 'running'`;
    }
  }

  /** @returns the rollout as it ended, with all its calls; null where it does not run. */
  endRollout(
    tx: Transaction,
    organizationId: string,
    id: string,
    how: RolloutEnd,
  ): Promise<MeasuredRollout | null> {
    return endRollout(tx, { organizationId, id }, how);
  }

  /** How many there are of each state. */
  async countByState(): Promise<Readonly<Record<RolloutState, number>>> {
    const { rows } = await this.database.background.query<{ state: RolloutState; count: number }>(
      'SELECT state, count(*)::int AS count FROM rollouts GROUP BY state',
    );
    const found = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    return { running: 0, aborted: 0, completed: 0, removed: 0, ...found };
  }

  private async measured(records: readonly RolloutRecord[]): Promise<readonly MeasuredRollout[]> {
    if (records.length === 0) return [];
    const ids = records.map(({ id }) => id);
    return withArms(records, await armsOf(this.database.prisma, ids, false));
  }
}

async function knownRollouts(
  prisma: Pick<Database['prisma'], 'rollout'>,
  organizationId: string,
  names: readonly string[],
): Promise<readonly KnownRollout[]> {
  const rows = await prisma.rollout.findMany({
    where: { organizationId, OR: [{ state: 'running' }, { name: { in: [...names] } }] },
  });
  return rows.map(toRolloutRecord).map(({ id, name, model, to, by, state }) => ({
    ...{ id, name, model, to, by },
    isRunning: state === 'running',
  }));
}

/** Ends a rollout that runs: of several at once, only one does. */
export async function endRollout(
  tx: Transaction,
  { organizationId, id }: Pick<RolloutRecord, 'organizationId' | 'id'>,
  { state, reason }: RolloutEnd,
): Promise<MeasuredRollout | null> {
  const prisma = prismaOf(tx);
  const ended = await prisma.$executeRaw`
    UPDATE rollouts SET state = ${state}, reason = ${reason}, ended_at = now(), due_at = NULL, lease_until = NULL
    WHERE organization_id = ${organizationId} AND id = ${id} AND state = 'running'`;
  if (ended === 0) return null;
  const row = await prisma.rollout.findUniqueOrThrow({ where: { id } });
  const [record] = withArms([toRolloutRecord(row)], await armsOf(prisma, [id], false));
  return record ?? null;
}

const withArms = (
  records: readonly RolloutRecord[],
  arms: ReadonlyMap<string, RolloutArms>,
): readonly MeasuredRollout[] =>
  records.flatMap((record) => {
    const found = arms.get(record.id);
    return found === undefined ? [] : [{ ...record, arms: found }];
  });

/** Columns that a version of the policy may change of a rollout that runs. */
const changeable = ({ share_bps: shareBps, ends_at: endsAt, abort }: RolloutDocument) => ({
  shareBps,
  endsAt: endsAt === null ? null : new Date(endsAt),
  maxErrorRateBps: abort.max_error_rate_bps,
  maxTtftP95Ms: abort.max_ttft_p95_ms,
  minCalls: abort.min_calls,
});
