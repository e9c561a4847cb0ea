import { ApprovalUpkeep } from '@svc/approvals/store';
import { type Database } from '@svc/database';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

interface ApprovalRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const KEEP_UP_EVERY_MS = 1_000;

/** The periodic tasks of approvals. The process that serves a route makes its approved calls. */
export function approvalTasks({ database, logger, metrics: registry }: ApprovalRuntime) {
  const upkeep = new ApprovalUpkeep(database);
  // Ended ones pile up, and are not counted.
  gaugeAtScrape({
    name: 'svc_approval_requests',
    help: 'Approval requests of all organizations that are pending or approved, by state.',
    labelNames: ['state'],
    registry,
    logger,
    read: async (gauge) => {
      for (const [state, count] of Object.entries(await upkeep.countOpen())) gauge.set({ state }, count);
    },
  });
  const { isDue } = upkeep;
  return [
    { name: 'approval-requests', everyMs: KEEP_UP_EVERY_MS, isDue, run: () => keepUpApprovals(upkeep) },
  ];
}

/**
 * Expires and cancels what waits in vain, gives up what could not be executed for a day, and wipes secrets that nobody
 * claimed (docs/reference/approvals.md#states).
 */
async function keepUpApprovals(upkeep: ApprovalUpkeep): Promise<{ readonly more: boolean }> {
  const expired = await upkeep.expire();
  const cancelled = await upkeep.cancelOrphaned();
  const failed = await upkeep.failStale();
  await upkeep.wipeSecrets();
  return { more: expired || cancelled || failed };
}
