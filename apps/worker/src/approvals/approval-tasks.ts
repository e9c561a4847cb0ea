import { ApprovalUpkeep } from '@svc/approvals/store';
import { type Database } from '@svc/database';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { keepUpApprovals } from './keep-up-approvals';
import { measureApprovals } from './measure-approvals';

interface ApprovalRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const KEEP_UP_EVERY_MS = 1_000;

/** The periodic tasks of approvals. The process that serves a route makes its approved calls. */
export function approvalTasks({ database, logger, metrics }: ApprovalRuntime) {
  const upkeep = new ApprovalUpkeep(database);
  measureApprovals(upkeep, metrics, logger);
  const { isDue } = upkeep;
  return [
    { name: 'approval-requests', everyMs: KEEP_UP_EVERY_MS, isDue, run: () => keepUpApprovals(upkeep) },
  ];
}
