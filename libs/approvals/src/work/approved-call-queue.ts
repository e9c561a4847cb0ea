import { type Database } from '@svc/database';
import { createSealer, type MasterKey } from '@svc/runtime';
import { Histogram, type Logger, type Registry } from '@svc/runtime/observability';
import { type ApprovedCallQueue } from '../rules/gated-call';
import { ApprovalExecutions } from './approval-executions';

interface ApprovedCallsOptions {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly logger: Logger;
  readonly metrics: Registry;
}

const BUCKETS_SECONDS = [0.5, 1, 2, 5, 10, 30, 60, 300, 3_600, 86_400];

/** The approved calls of PostgreSQL, with the metric of how long they take. */
export function approvedCallQueue({
  database,
  masterKey,
  logger,
  metrics,
}: ApprovedCallsOptions): ApprovedCallQueue {
  const seconds = new Histogram({
    name: 'svc_approval_execution_seconds',
    help: 'From the approval of a change until it was made, or had failed.',
    buckets: BUCKETS_SECONDS,
    registers: [metrics],
  });
  const onEnd = (duration: number): void => {
    seconds.observe(duration);
  };
  return new ApprovalExecutions({ database, sealer: createSealer(masterKey), logger, onEnd });
}
