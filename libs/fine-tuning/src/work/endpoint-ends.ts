import { AuditLog, type Database, Outbox, prismaOf, type Transaction } from '@svc/database';
import { type FineTuningEndpointRun } from '@svc/database/rows';
import { recordEvent } from '@svc/events';
import { nanos, nanosToJson, type NewId } from '@svc/kernel';
import { type StopReason } from '../rules/endpoints/endpoint-state';
import { secondsBetween, unmeteredSeconds } from '../rules/endpoints/metering';
import { EndpointSlices } from '../store/endpoint-slices';

/** Begins and ends of service, with money, events and audit entries. Every run is locked. */
export class EndpointEnds {
  private readonly slices = new EndpointSlices();
  private readonly outbox = new Outbox();
  private readonly auditLog: AuditLog;

  constructor(
    database: Database,
    private readonly newId: NewId,
  ) {
    this.auditLog = new AuditLog(database, newId);
  }

  /** The provider serves: metering begins, and edges are told. */
  async serve(tx: Transaction, run: FineTuningEndpointRun, inferenceModel: string, now: Date): Promise<void> {
    await prismaOf(tx).fineTuningEndpointRun.update({
      where: { id: run.id },
      data: { state: 'running', runningSince: now, lastSeenAt: now, inferenceModel },
    });
    const data = { fine_tuning_endpoint_id: run.endpointId, model: run.model };
    await this.outbox.append(
      tx,
      recordEvent(
        this.newId('event'),
        'fine_tuning.endpoint.running',
        run.organizationId,
        now.getTime(),
        data,
      ),
    );
  }

  /** It did not come to serve: nothing is charged. What the provider may have of it is the next turn's. */
  async fail(tx: Transaction, run: FineTuningEndpointRun): Promise<void> {
    await this.audit(tx, run, 'start_failed');
    await this.end(tx, run, 'failed', 'start_failed', 0);
  }

  /** Leaves the plans of calls. @param servedUntil nothing after it is charged. */
  async stop(
    tx: Transaction,
    run: FineTuningEndpointRun,
    stopReason: StopReason,
    servedUntil: Date,
  ): Promise<FineTuningEndpointRun> {
    await this.audit(tx, run, stopReason);
    return prismaOf(tx).fineTuningEndpointRun.update({
      where: { id: run.id },
      data: { state: 'stopping', stopReason, stoppedServingAt: servedUntil },
    });
  }

  /** The provider has confirmed the stop. @returns seconds that were found to be paid by nobody. */
  async confirm(tx: Transaction, run: FineTuningEndpointRun, servedUntil: Date): Promise<number> {
    const seconds = run.runningSince === null ? 0 : secondsBetween(run.runningSince, servedUntil);
    return this.end(tx, run, 'stopped', run.stopReason as StopReason, seconds);
  }

  private async end(
    tx: Transaction,
    run: FineTuningEndpointRun,
    state: 'stopped' | 'failed',
    reason: StopReason,
    runningSeconds: number,
  ): Promise<number> {
    const prisma = prismaOf(tx);
    await this.slices.settleSlice(tx, run, runningSeconds, true);
    const { slices } = await this.slices.sums(tx, run);
    const unmetered = unmeteredSeconds(slices, runningSeconds);
    const [ended] = await prisma.$queryRaw<{ at: Date; charged: bigint }[]>`
      UPDATE fine_tuning_endpoint_runs SET state = ${state}, stop_reason = ${reason}, ended_at = clock_timestamp(),
        running_seconds = ${runningSeconds}, unmetered_seconds = ${unmetered}, lease_until = NULL, due_at = clock_timestamp(),
        failures = 0
      WHERE id = ${run.id} RETURNING ended_at AS at, charged_nanos AS charged`;
    if (ended === undefined) throw new Error('A run that is locked is there');
    const data = {
      fine_tuning_endpoint_id: run.endpointId,
      model: run.model,
      reason,
      running_seconds: runningSeconds,
      charged_nanos: nanosToJson(nanos(ended.charged)),
    };
    await this.outbox.append(
      tx,
      recordEvent(
        this.newId('event'),
        'fine_tuning.endpoint.stopped',
        run.organizationId,
        ended.at.getTime(),
        data,
      ),
    );
    // Gaps were counted when they were found.
    return Math.max(0, unmetered - run.unmeteredSeconds);
  }

  /** A stop that nobody asked for is the service's own act. */
  private audit(tx: Transaction, run: FineTuningEndpointRun, reason: StopReason): Promise<void> {
    return this.auditLog.append(tx, {
      organizationId: run.organizationId,
      actor: { type: 'system', id: null },
      action: 'fine_tuning_endpoint.stop',
      targetId: run.endpointId,
      requestId: null,
      changes: {
        state: { from: run.state, to: reason === 'start_failed' ? 'failed' : 'stopping' },
        stop_reason: { to: reason },
      },
    });
  }
}
