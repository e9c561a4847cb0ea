import { AlertEvaluation } from '@svc/alerts/store';
import { openDatabase } from '@svc/database';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { AlertMetrics, evaluateAlerts } from '../alerts.tasks';

/** Where a worker kills itself while it evaluates alert rules. */
export type CrashPoint = 'after the claim' | 'after observing' | 'while it records' | 'after recording';

export interface CrashOptions {
  readonly databaseUrl: string;
  readonly crashPoint: CrashPoint;
}

/** Evaluates in this process, and kills it at the crash point. */
async function run({ databaseUrl, crashPoint }: CrashOptions): Promise<void> {
  const evaluation = new AlertEvaluation(openDatabase({ url: databaseUrl, poolSize: 4 }));
  const logger = createLogger({ service: 'worker-spec', level: 'silent' });
  const crash = () => process.kill(process.pid, 'SIGKILL');
  const crashing: Pick<AlertEvaluation, 'claim' | 'judge' | 'recordObservations' | 'finish'> = {
    claim: () => evaluation.claim(),
    judge: async (metric, endpoints) => {
      if (crashPoint === 'after the claim' && metric === 'request_count') crash();
      return evaluation.judge(metric, endpoints);
    },
    recordObservations: async (claim, observed) => {
      if (observed.length > 0 && crashPoint === 'after observing') crash();
      if (observed.length > 0 && crashPoint === 'while it records') setTimeout(crash, 4);
      const isRecorded = await evaluation.recordObservations(claim, observed);
      if (observed.length > 0) crash();
      return isRecorded;
    },
    finish: (claim, tickSeconds) => evaluation.finish(claim, tickSeconds),
  };
  const metrics = new AlertMetrics(createMetrics('worker-spec'), logger);
  while (
    (await evaluateAlerts({ evaluation: crashing, metrics, logger, tickSeconds: 3_600, endpoints: () => [] }))
      .more
  );
}

void run(JSON.parse(process.argv[2] ?? '{}') as CrashOptions);
