import { type ApprovalUpkeep } from '@svc/persistence';
import { Gauge, type Logger, type Registry } from '@svc/platform';

/** A gauge of the requests of all organizations that wait, read at each scrape. Ended ones pile up and are not counted. */
export function measureApprovals(
  upkeep: Pick<ApprovalUpkeep, 'countOpen'>,
  registry: Registry,
  logger: Logger,
): void {
  new Gauge({
    name: 'svc_approval_requests',
    help: 'Approval requests of all organizations that are pending or approved, by state.',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      try {
        for (const [state, count] of Object.entries(await upkeep.countOpen())) this.set({ state }, count);
      } catch (error) {
        // The other metrics stay useful when the database is unreachable.
        logger.warn({ err: error }, 'approval requests not measured');
      }
    },
  });
}
