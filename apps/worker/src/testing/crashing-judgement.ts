import { openDatabase } from '@svc/database';
import { RolloutJudgement } from '@svc/policy/store';
import { judgeRollouts } from '../policy.tasks';

/** Where a worker kills itself while it judges rollouts. */
export type CrashPoint = 'after the claim' | 'after the verdict' | 'while it ends one' | 'after ending one';

export interface CrashOptions {
  readonly databaseUrl: string;
  readonly crashPoint: CrashPoint;
}

/** Judges in this process, and kills it at the crash point. */
async function run({ databaseUrl, crashPoint }: CrashOptions): Promise<void> {
  const judgement = new RolloutJudgement(openDatabase({ url: databaseUrl, poolSize: 4 }));
  const crash = () => process.kill(process.pid, 'SIGKILL');
  await judgeRollouts({
    claim: () => judgement.claim(),
    ending: async (claims) => {
      if (crashPoint === 'after the claim') crash();
      return judgement.ending(claims);
    },
    endRollout: async (claim) => {
      if (crashPoint === 'after the verdict') crash();
      if (crashPoint === 'while it ends one') setTimeout(crash, 4);
      await judgement.endRollout(claim);
      crash();
    },
    postpone: (claim) => judgement.postpone(claim),
  });
}

void run(JSON.parse(process.argv[2] ?? '{}') as CrashOptions);
