import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import {
  type IncidentAudience,
  type IncidentSeverity,
  type IncidentSource,
  type IncidentStanding,
  type IncidentState,
} from '../rules/incident';
import { type IncidentSubject } from '../rules/judge-circuits';

interface IncidentUpdateRecord {
  readonly at: Date;
  readonly state: IncidentState;
  readonly severity: IncidentSeverity;
  readonly message: string;
}

export interface IncidentRecord extends IncidentStanding {
  readonly id: string;
  readonly title: string;
  readonly source: IncidentSource;
  readonly audience: IncidentAudience;
  readonly managed: boolean;
  readonly startedAt: Date;
  readonly resolvedAt: Date | null;
  readonly createdAt: Date;
  readonly updateCount: number;
  /** How many organizations have been told. */
  readonly organizationCount: number;
  /** Oldest first. */
  readonly updates: readonly IncidentUpdateRecord[];
}

/** An incident as an organization sees it that it affects. */
export interface AffectingIncident extends IncidentRecord {
  readonly affectedSince: Date;
}

export interface NewIncident extends IncidentStanding {
  readonly id: string;
  readonly title: string;
  readonly source: IncidentSource;
  readonly audience: IncidentAudience;
  readonly organizationIds: readonly string[];
  /** Of an automatic incident. */
  readonly subject: IncidentSubject | null;
  readonly startedAt: Date;
  readonly message: string;
  /** Null without one. */
  readonly idempotency: IncidentIdempotency | null;
}

/** The idempotency key of an incident, by which a retry opens no other. */
export interface IncidentIdempotency {
  readonly key: string;
  /** Of the body. */
  readonly hash: string;
}

export interface IncidentChange extends IncidentStanding {
  readonly message: string;
  /** From now on only people change its state. */
  readonly managed: boolean;
  readonly quietSince: Date | null;
}

export interface IncidentFilter {
  readonly isOpen?: boolean | undefined;
  readonly severity?: IncidentSeverity | undefined;
}

export interface AffectedOrganization {
  readonly id: string;
  readonly name: string;
  readonly affectedSince: Date;
}

/** How many incidents the status page shows at most. */
const PUBLIC_MAX = 200;

/** Between the key of this lock and those of others. */
const IDEMPOTENCY_LOCK = 7_310_031;

/** Incidents with their updates. What is written here is told to organizations by `IncidentFanOut`. */
export class IncidentStore {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async listIncidents(page: Page, filter: IncidentFilter): Promise<Slice<IncidentRecord>> {
    const rows = await this.database.prisma.incident.findMany({
      where: { ...olderThan(page), ...conditionsOf(filter) },
      ...pageArguments(page),
      include: WITH_UPDATES,
    });
    return sliceOf(rows, page, toRecord);
  }

  async findIncident(id: string): Promise<IncidentRecord | null> {
    const row = await this.database.prisma.incident.findUnique({ where: { id }, include: WITH_UPDATES });
    return row && toRecord(row);
  }

  /** The incidents that affect the organization, newest first. */
  async listAffecting(
    organizationId: string,
    { limit, before }: Page,
    filter: IncidentFilter,
  ): Promise<Slice<AffectingIncident>> {
    const rows = await this.database.prisma.incidentOrganization.findMany({
      where: {
        organizationId,
        ...(before === null ? {} : { incidentId: { lt: before } }),
        incident: conditionsOf(filter),
      },
      orderBy: { incidentId: 'desc' },
      take: limit + 1,
      include: { incident: { include: WITH_UPDATES } },
    });
    return sliceOf(rows, { limit, before }, toAffecting);
  }

  /** @returns null also for an incident that does not affect the organization. */
  async findAffecting(organizationId: string, id: string): Promise<AffectingIncident | null> {
    const row = await this.database.prisma.incidentOrganization.findUnique({
      where: { incidentId_organizationId: { incidentId: id, organizationId } },
      include: { incident: { include: WITH_UPDATES } },
    });
    return row && toAffecting(row);
  }

  /** The organizations that were told of the incident, newest first. */
  async organizationsOf(id: string, { limit, before }: Page): Promise<Slice<AffectedOrganization>> {
    const rows = await this.database.prisma.$queryRaw<AffectedOrganization[]>`
      SELECT o.id, o.name, i.affected_since AS "affectedSince"
      FROM incident_organizations i JOIN organizations o ON o.id = i.organization_id
      WHERE i.incident_id = ${id} AND (${before}::text IS NULL OR i.organization_id < ${before})
      ORDER BY i.organization_id DESC LIMIT ${limit + 1}`;
    return sliceOf(rows, { limit, before }, (row) => row);
  }

  /** Which of these organizations do not exist. */
  async unknownOrganizations(ids: readonly string[]): Promise<readonly string[]> {
    const known = await this.database.prisma.organization.findMany({
      where: { id: { in: [...ids] } },
      select: { id: true },
    });
    const knownIds = new Set(known.map(({ id }) => id));
    return ids.filter((id) => !knownIds.has(id));
  }

  /** The incidents of the status page: those of everybody and automatic ones, open or resolved after `since`. */
  async listPublic(since: Date): Promise<readonly IncidentRecord[]> {
    const rows = await this.database.prisma.incident.findMany({
      where: {
        AND: [
          { OR: [{ audience: 'all' }, { source: 'automatic' }] },
          { OR: [{ resolvedAt: null }, { resolvedAt: { gte: since } }] },
        ],
      },
      orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
      take: PUBLIC_MAX,
      include: WITH_UPDATES,
    });
    return rows.map(toRecord);
  }

  /**
   * The incident that was opened with this key within 24 hours. Another transaction with the key waits until this one ends.
   */
  async lockByKey(
    tx: Transaction,
    key: string,
  ): Promise<{ readonly id: string; readonly hash: string | null } | null> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`SELECT pg_advisory_xact_lock(${IDEMPOTENCY_LOCK}::int, hashtext(${key}))`;
    const [found] = await prisma.$queryRaw<{ id: string; hash: string | null }[]>`
      SELECT id, idempotency_hash AS hash FROM incidents
      WHERE idempotency_key = ${key} AND created_at > now() - interval '24 h' ORDER BY id DESC LIMIT 1`;
    return found ?? null;
  }

  async createIncident(tx: Transaction, created: NewIncident, at: Date): Promise<IncidentRecord> {
    const { message, subject, organizationIds, idempotency, ...incident } = created;
    const prisma = prismaOf(tx);
    await prisma.incident.create({
      data: {
        ...incident,
        ...listsOf(incident),
        organizationIds: [...organizationIds],
        subjectKind: subject?.kind ?? null,
        subjectName: subject?.name ?? null,
        idempotencyKey: idempotency?.key ?? null,
        idempotencyHash: idempotency?.hash ?? null,
        updateCount: 1,
        createdAt: at,
        updates: { create: updateOf(incident, 1, at, message) },
      },
    });
    return wake(prisma, incident.id);
  }

  /** Locks the incident until the transaction ends, so that its updates have neither gaps nor duplicates. */
  async lockIncident(tx: Transaction, id: string): Promise<IncidentRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM incidents WHERE id = ${id} FOR NO KEY UPDATE`;
    const row = await prisma.incident.findUnique({ where: { id }, include: WITH_UPDATES });
    return row && toRecord(row);
  }

  /** @param before the incident, locked. */
  async updateIncident(
    tx: Transaction,
    before: Pick<IncidentRecord, 'id' | 'updateCount' | 'providers' | 'models'>,
    { message, managed, quietSince, ...standing }: IncidentChange,
    at: Date,
  ): Promise<IncidentRecord> {
    const prisma = prismaOf(tx);
    const number = before.updateCount + 1;
    const isWider =
      standing.providers.some((name) => !before.providers.includes(name)) ||
      standing.models.some((id) => !before.models.includes(id));
    await prisma.incident.update({
      where: { id: before.id },
      data: {
        ...standing,
        ...listsOf(standing),
        managed,
        quietSince,
        resolvedAt: standing.state === 'resolved' ? at : null,
        updateCount: number,
        // Earlier calls may be of the new names.
        ...(isWider ? { lookedUntil: null } : {}),
        updates: { create: updateOf(standing, number, at, message) },
      },
    });
    return wake(prisma, before.id);
  }

  /** Since when the subject of an automatic incident is quiet. Nobody is told. */
  async noteQuiet(tx: Transaction, id: string, quietSince: Date | null): Promise<void> {
    await prismaOf(tx).incident.update({ where: { id }, data: { quietSince } });
  }

  /**
   * Deletes an incident that was resolved longer ago than `ageMs`, after the rows of its organizations, `limit` at most.
   * @returns whether there may be more to delete.
   */
  async deleteResolved(ageMs: number, limit: number): Promise<boolean> {
    const { background, prisma } = this.database;
    const { rows } = await background.query<{ id: string }>(
      `SELECT id FROM incidents WHERE resolved_at < now() - $1 * interval '1 ms' ORDER BY resolved_at LIMIT 1`,
      [ageMs],
    );
    const [old] = rows;
    if (old === undefined) return false;
    const { rowCount } = await background.query(
      `DELETE FROM incident_organizations WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM incident_organizations WHERE incident_id = $1 LIMIT $2))`,
      [old.id, limit],
    );
    if (rowCount === limit) return true;
    await prisma.$transaction([
      prisma.incidentUpdate.deleteMany({ where: { incidentId: old.id } }),
      prisma.incident.deleteMany({ where: { id: old.id } }),
    ]);
    return true;
  }

  async renameIncident(tx: Transaction, id: string, title: string): Promise<IncidentRecord> {
    const row = await prismaOf(tx).incident.update({ where: { id }, data: { title }, include: WITH_UPDATES });
    return toRecord(row);
  }
}

const WITH_UPDATES = {
  updates: { orderBy: { number: 'asc' } },
} as const satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof WITH_UPDATES }>;
type AffectingRow = Prisma.IncidentOrganizationGetPayload<{
  include: { incident: { include: typeof WITH_UPDATES } };
}>;

const conditionsOf = ({ isOpen, severity }: IncidentFilter) => ({
  ...(isOpen === undefined ? {} : { state: isOpen ? { not: 'resolved' } : 'resolved' }),
  ...(severity === undefined ? {} : { severity }),
});

const listsOf = ({ components, providers, models }: IncidentStanding) => ({
  components: [...components],
  providers: [...providers],
  models: [...models],
});

const updateOf = (standing: IncidentStanding, number: number, at: Date, message: string) => ({
  number,
  at,
  message,
  state: standing.state,
  severity: standing.severity,
  ...listsOf(standing),
});

/** Lets a worker tell it, by the database's clock. */
async function wake(prisma: Prisma.TransactionClient, id: string): Promise<IncidentRecord> {
  await prisma.$executeRaw`UPDATE incidents SET due_at = date_trunc('milliseconds', clock_timestamp()) WHERE id = ${id}`;
  return toRecord(await prisma.incident.findUniqueOrThrow({ where: { id }, include: WITH_UPDATES }));
}

const toRecord = (row: Row): IncidentRecord => ({
  id: row.id,
  title: row.title,
  state: row.state as IncidentState,
  severity: row.severity as IncidentSeverity,
  components: row.components,
  providers: row.providers,
  models: row.models,
  source: row.source as IncidentSource,
  audience: row.audience as IncidentAudience,
  managed: row.managed,
  startedAt: row.startedAt,
  resolvedAt: row.resolvedAt,
  createdAt: row.createdAt,
  updateCount: row.updateCount,
  organizationCount: row.organizationCount,
  updates: row.updates.map(({ at, state, severity, message }) => ({
    at,
    state: state as IncidentState,
    severity: severity as IncidentSeverity,
    message,
  })),
});

const toAffecting = ({ incident, affectedSince }: AffectingRow): AffectingIncident => ({
  ...toRecord(incident),
  affectedSince,
});
