import { prismaOf, type Transaction } from '@svc/database';

interface TunedModelOf {
  readonly organizationId: string;
  readonly model: string;
}

/** When a call of the model last ended, to the minute: at the end of that minute at the latest. Null for never. */
export async function lastCallOf(
  tx: Transaction,
  { organizationId, model }: TunedModelOf,
  since: Date,
): Promise<Date | null> {
  const [found] = await prismaOf(tx).$queryRaw<{ at: Date | null }[]>`
    SELECT least(max(minute) + interval '1 min', clock_timestamp()) AS at FROM call_minutes
    WHERE model = ${model} AND organization_id = ${organizationId} AND calls > 0
      AND minute >= date_trunc('minute', ${since}::timestamptz)
    HAVING max(minute) IS NOT NULL`;
  return found?.at ?? null;
}

/** True where a call of the model has not ended yet. Of all calls, few are open at a time: an index has those alone. */
export async function hasCallsInFlight(
  tx: Transaction,
  { organizationId, model }: TunedModelOf,
): Promise<boolean> {
  const [found] = await prismaOf(tx).$queryRaw<unknown[]>`
    SELECT FROM request_records
    WHERE status = 'pending' AND organization_id = ${organizationId} AND model = ${model} LIMIT 1`;
  return found !== undefined;
}
