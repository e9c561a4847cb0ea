import { type ApprovalUpkeep } from '@svc/approvals/store';
import { gaugeAtScrape, type Logger, type Registry } from '@svc/runtime/observability';

/** A gauge of the requests of all organizations that wait. Ended ones pile up and are not counted. */
export function measureApprovals(
  upkeep: Pick<ApprovalUpkeep, 'countOpen'>,
  registry: Registry,
  logger: Logger,
): void {
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
}
