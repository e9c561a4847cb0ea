import { type RolloutJudgement } from '@svc/policy/store';

/** Judges the rollouts that are due (docs/rollouts.md#when-it-ends). */
export async function judgeRollouts(
  judgement: Pick<RolloutJudgement, 'claim' | 'ending' | 'end' | 'postpone'>,
): Promise<{ readonly more: boolean }> {
  const claims = await judgement.claim();
  if (claims.length === 0) return { more: false };
  for (const claim of await judgement.ending(claims)) await judgement.end(claim);
  for (const claim of claims) await judgement.postpone(claim);
  return { more: true };
}
