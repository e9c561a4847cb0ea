import { type Database } from '@svc/database';
import { RolloutJudgement, RolloutStore } from '@svc/policy/store';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

interface RolloutRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** How often the worker looks for rollouts that are due: each is every 10 s. */
const LOOK_EVERY_MS = 1_000;

/** The periodic task of rollouts. */
export function rolloutTasks({ database, logger, metrics: registry }: RolloutRuntime) {
  const judgement = new RolloutJudgement(database);
  const store = new RolloutStore(database);
  gaugeAtScrape({
    name: 'svc_rollouts',
    help: 'Rollouts of all organizations, by state.',
    labelNames: ['state'],
    registry,
    logger,
    read: async (gauge) => {
      for (const [state, count] of Object.entries(await store.countByState())) gauge.set({ state }, count);
    },
  });
  const { isDue } = judgement;
  return [{ name: 'rollouts', everyMs: LOOK_EVERY_MS, isDue, run: () => judgeRollouts(judgement) }];
}

/** Judges the rollouts that are due (docs/rollouts.md#when-it-ends). */
export async function judgeRollouts(
  judgement: Pick<RolloutJudgement, 'claim' | 'ending' | 'endRollout' | 'postpone'>,
): Promise<{ readonly more: boolean }> {
  const claims = await judgement.claim();
  if (claims.length === 0) return { more: false };
  for (const claim of await judgement.ending(claims)) await judgement.endRollout(claim);
  for (const claim of claims) await judgement.postpone(claim);
  return { more: true };
}
