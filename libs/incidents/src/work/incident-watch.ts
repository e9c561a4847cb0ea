import {
  type AuditEntry,
  AuditLog,
  changedFields,
  type Changes,
  type Database,
  initialFields,
  PLATFORM_LOG,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import {
  AUTOMATIC_REOPENED_WITHIN_MS,
  type AutomaticIncident,
  type AutomaticStep,
} from '../rules/automatic-incidents';
import { type IncidentStanding } from '../rules/incident';
import { type EndpointCircuit, type IncidentSubject } from '../rules/judge-circuits';
import { IncidentStore } from '../store/incident-store';

/** The facts that decide automatic incidents, all read in one transaction. */
interface WatchedFacts {
  readonly circuits: readonly EndpointCircuit[];
  readonly incidents: readonly AutomaticIncident[];
  /** By the database's clock. */
  readonly now: Date;
}

/** Opens and ends automatic incidents. */
export class IncidentWatch {
  private readonly store: IncidentStore;
  private readonly auditLog: AuditLog;
  private readonly unitOfWork: UnitOfWork;

  constructor(
    database: Database,
    private readonly newId: NewId = systemIds,
  ) {
    this.store = new IncidentStore(database);
    this.auditLog = new AuditLog(database, newId);
    this.unitOfWork = new UnitOfWork(database);
  }

  /**
   * Decides and writes in one transaction, which holds the lock of the watch and of every automatic incident it reads:
   * neither another worker nor an operator can change one in between.
   * @returns how many steps were taken; null while another worker watches.
   */
  review(decide: (facts: WatchedFacts) => readonly AutomaticStep[]): Promise<number | null> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const [watch] = await prisma.$queryRaw<{ now: Date }[]>`
        SELECT date_trunc('milliseconds', clock_timestamp()) AS now FROM incident_watch FOR UPDATE SKIP LOCKED`;
      if (watch === undefined) return null;
      const { now } = watch;
      const incidents = await readIncidents(prisma);
      const circuits = await prisma.$queryRaw<EndpointCircuit[]>`
        SELECT endpoint_id AS "endpointId", provider, state, open_since AS "openSince" FROM endpoint_circuits`;
      const steps = decide({ circuits, incidents, now });
      for (const step of steps) await this.take(tx, step, now);
      await prisma.$executeRaw`UPDATE incident_watch SET checked_at = ${now}`;
      return steps.length;
    });
  }

  private async take(tx: Transaction, step: AutomaticStep, now: Date): Promise<void> {
    if (step.action === 'record') return this.store.noteQuiet(tx, step.incident.id, step.quietSince);
    if (step.action === 'open') return this.open(tx, step, now);
    const { incident, state, severity, message, quietSince } = step;
    const { id } = incident;
    const standing = { ...standingOf(incident.subject), state, severity };
    const before = { id, updateCount: incident.updateCount, ...standing };
    await this.store.updateIncident(tx, before, { ...standing, message, quietSince, managed: false }, now);
    const was = { state: incident.state, severity: incident.severity };
    await this.audit(tx, 'incident.update', id, changedFields(was, { state, severity }));
  }

  private async open(
    tx: Transaction,
    { subject, severity, startedAt, title, message }: Extract<AutomaticStep, { action: 'open' }>,
    now: Date,
  ): Promise<void> {
    const id = this.newId('incident');
    const standing = { ...standingOf(subject), state: 'investigating', severity } as const;
    const about = { source: 'automatic', audience: 'affected', organizationIds: [], subject } as const;
    await this.store.createIncident(
      tx,
      { id, title, startedAt, message, idempotency: null, ...about, ...standing },
      now,
    );
    const fields = { title, severity, [subject.kind]: subject.name };
    await this.audit(tx, 'incident.create', id, initialFields(fields));
  }

  private audit(tx: Transaction, action: AuditEntry['action'], targetId: string, changes: Changes) {
    const author = {
      organizationId: PLATFORM_LOG,
      actor: { type: 'system', id: null },
      requestId: null,
    } as const;
    return this.auditLog.append(tx, { ...author, action, targetId, changes });
  }
}

/** An incident of a model lists only the model. */
const standingOf = ({ kind, name }: IncidentSubject): Omit<IncidentStanding, 'state' | 'severity'> => ({
  components: ['inference'],
  providers: kind === 'provider' ? [name] : [],
  models: kind === 'model' ? [name] : [],
});

type Row = Omit<AutomaticIncident, 'subject'> & {
  readonly kind: IncidentSubject['kind'];
  readonly name: string;
};

async function readIncidents(prisma: Prisma.TransactionClient): Promise<readonly AutomaticIncident[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT id, subject_kind AS kind, subject_name AS name, state, severity, managed, resolved_at AS "resolvedAt",
      quiet_since AS "quietSince", update_count AS "updateCount"
    FROM incidents
    WHERE source = 'automatic'
      AND (resolved_at IS NULL OR resolved_at > clock_timestamp() - ${AUTOMATIC_REOPENED_WITHIN_MS} * interval '1 ms')
    ORDER BY id DESC FOR NO KEY UPDATE`;
  return rows.map(({ kind, name, ...incident }) => ({ ...incident, subject: { kind, name } }));
}
