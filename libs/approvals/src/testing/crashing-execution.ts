import { openDatabase } from '@svc/database';
import { createLogger } from '@svc/runtime/observability';
import { ApprovalExecutions } from '../work/approval-executions';
import { makeApproved, ROUTE, sealer } from './approved-change';

/** Where a process kills itself while it makes an approved change. */
export type CrashPoint = 'after the claim' | 'inside the transaction' | 'after the commit';

export interface CrashOptions {
  readonly databaseUrl: string;
  readonly crashPoint: CrashPoint;
}

async function run({ databaseUrl, crashPoint }: CrashOptions): Promise<void> {
  const database = openDatabase({ url: databaseUrl, poolSize: 4 });
  const logger = createLogger({ service: 'approvals-spec', level: 'silent' });
  const queue = new ApprovalExecutions({ database, sealer, logger });
  const crash = () => void process.kill(process.pid, 'SIGKILL');
  if (crashPoint === 'after the claim') {
    await queue.claim([ROUTE]);
    crash();
  }
  await makeApproved(database, queue, () => {
    if (crashPoint === 'inside the transaction') crash();
  });
  crash();
}

void run(JSON.parse(process.argv[2] ?? '{}') as CrashOptions);
