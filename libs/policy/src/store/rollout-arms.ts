import { Prisma } from '@svc/database/rows';
import { type JudgedCalls } from '../rules/rollouts/judge-rollout';

/** The figures of the calls of an arm. */
export interface ArmFigures extends JudgedCalls {
  readonly calls: number;
  readonly outputTokens: number;
  readonly customerNanos: bigint;
  readonly providerNanos: bigint;
}

/** Both sides of a rollout. */
export interface RolloutArms {
  /** The calls that it moved. */
  readonly treatment: ArmFigures;
  /** Those of its model that it did not take. */
  readonly control: ArmFigures;
}

const NO_CALLS: ArmFigures = {
  calls: 0,
  ended: 0,
  failed: 0,
  begun: 0,
  ttftP95Ms: null,
  outputTokens: 0,
  customerNanos: 0n,
  providerNanos: 0n,
};

interface ArmRow extends Omit<ArmFigures, 'customerNanos' | 'providerNanos'> {
  readonly rolloutId: string;
  readonly arm: keyof RolloutArms;
  readonly customerNanos: string;
  readonly providerNanos: string;
}

/**
 * The arms of rollouts, by their ids; those without calls are there too.
 * @param judgedOnly only the last 5 minutes, over which rollouts are judged; else all that is kept
 */
export async function armsOf(
  prisma: Pick<Prisma.TransactionClient, '$queryRaw'>,
  ids: readonly string[],
  judgedOnly: boolean,
): Promise<ReadonlyMap<string, RolloutArms>> {
  const recent = judgedOnly
    ? Prisma.sql`AND minute >= date_trunc('minute', now() - interval '5 min')`
    : Prisma.empty;
  // Failed and ended as alerts count them: what the caller got wrong is in neither number.
  const rows = await prisma.$queryRaw<ArmRow[]>`
    WITH minutes AS MATERIALIZED (
      SELECT * FROM rollout_minutes WHERE rollout_id = ANY(${[...ids]}) ${recent}
    ), times AS (
      SELECT rollout_id, arm, h.bound, sum(h.count)::bigint AS count
      FROM minutes CROSS JOIN LATERAL unnest(ttft_bounds, ttft_counts) AS h (bound, count)
      GROUP BY rollout_id, arm, h.bound
    ), percentiles AS (
      SELECT rollout_id, arm, sum(count) AS begun,
        round(histogram_percentile(array_agg(bound), array_agg(count), 0.95)) AS ttft_p95
      FROM times GROUP BY rollout_id, arm
    )
    SELECT rollout_id AS "rolloutId", arm, sum(minutes.calls)::float8 AS calls, sum(failures)::float8 AS failed,
      sum(failures + cancelled + succeeded.calls)::float8 AS ended, coalesce(max(begun), 0)::float8 AS begun,
      max(ttft_p95)::float8 AS "ttftP95Ms", sum(output_tokens)::float8 AS "outputTokens",
      sum(customer_nanos)::text AS "customerNanos", sum(provider_nanos)::text AS "providerNanos"
    FROM minutes
    CROSS JOIN LATERAL (SELECT coalesce(sum(count), 0) AS calls FROM unnest(minutes.duration_counts) AS count) succeeded
    LEFT JOIN percentiles USING (rollout_id, arm)
    GROUP BY rollout_id, arm`;
  const found = Map.groupBy(rows, ({ rolloutId }) => rolloutId);
  return new Map(
    ids.map((id) => {
      const figuresOf = (arm: keyof RolloutArms) => toFigures(found.get(id)?.find((row) => row.arm === arm));
      return [id, { treatment: figuresOf('treatment'), control: figuresOf('control') }];
    }),
  );
}

function toFigures(row: ArmRow | undefined): ArmFigures {
  if (row === undefined) return NO_CALLS;
  const { rolloutId: _id, arm: _arm, customerNanos, providerNanos, ...figures } = row;
  return { ...figures, customerNanos: BigInt(customerNanos), providerNanos: BigInt(providerNanos) };
}
