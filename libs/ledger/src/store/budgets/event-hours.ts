import { prismaOf, type Transaction } from '@svc/database';

/** Of each type, an hour and budget of each (docs/reference/limits-and-budgets.md#budget-events). */
const EVENTS_MAX = 100;

interface BudgetEvent {
  readonly type: string;
  readonly spend: { readonly budget_id: string; readonly subject: string | null };
}

/**
 * The events that may be recorded: all of budgets that name one, and of a budget of each those that fit in the hour by
 * the database's clock. Workers at once wait for each other's counts.
 */
export async function admitEvents<T extends BudgetEvent>(
  tx: Transaction,
  events: readonly T[],
): Promise<readonly T[]> {
  const groups = Map.groupBy(events, ({ type, spend }) =>
    spend.subject === null ? null : `${spend.budget_id} ${type}`,
  );
  const admitted: T[] = [];
  // In one order: two workers must not each wait for what the other has counted.
  for (const key of [...groups.keys()].sort()) {
    const group = groups.get(key) ?? [];
    const [first] = group;
    if (key === null || first === undefined) admitted.push(...group);
    else admitted.push(...group.slice(0, await roomFor(tx, first, group.length)));
  }
  return admitted;
}

/** How many of these still fit in the hour. They are counted as recorded. */
async function roomFor(tx: Transaction, { type, spend }: BudgetEvent, wanted: number): Promise<number> {
  const prisma = prismaOf(tx);
  await prisma.$executeRaw`
    INSERT INTO budget_event_hours (budget_id, type, hour, recorded) VALUES (${spend.budget_id}, ${type}, date_trunc('hour', now()), 0)
    ON CONFLICT DO NOTHING`;
  const [counted] = await prisma.$queryRaw<{ room: number }[]>`
    UPDATE budget_event_hours e SET hour = date_trunc('hour', now()),
      recorded = least(before.recorded + ${wanted}::int, ${EVENTS_MAX}::int)
    FROM (
      SELECT budget_id, type, CASE WHEN hour >= date_trunc('hour', now()) THEN recorded ELSE 0 END AS recorded
      FROM budget_event_hours WHERE budget_id = ${spend.budget_id} AND type = ${type} FOR UPDATE
    ) before
    WHERE e.budget_id = before.budget_id AND e.type = before.type
    RETURNING e.recorded - before.recorded AS room`;
  return counted?.room ?? 0;
}
