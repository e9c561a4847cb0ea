import { randomBytes } from 'node:crypto';
import {
  type Claim,
  type Database,
  LeasedWork,
  LeaseLostError,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { recordEvent, type RecordedEvent } from '@svc/events';
import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import {
  eventOfUpdate,
  type IncidentSeverity,
  type IncidentSource,
  type IncidentStanding,
  type IncidentState,
} from '../rules/incident';
import { AffectedSearch, type IsAffected, type SearchedIncident } from '../store/affected-search';

const INCIDENTS = { table: 'incidents', what: 'the incident' };
const LOOK_EVERY_MS = 30_000;
const BATCH = 500;
/** After so many batches the incident goes back into the queue, so that no other waits long. */
const BATCHES_A_LEASE = 20;

interface FanOutOptions {
  readonly leaseMs?: number;
  readonly lookEveryMs?: number;
  readonly batch?: number;
}

/**
 * Tells incidents to the organizations that they affect: `incident.opened` once, then each update, in this order
 * (docs/reference/incidents.md#what-organizations-are-told). An organization's row is written with its event, in batches
 * from the cursor of the incident. One worker at a time has an incident.
 */
export class IncidentFanOut {
  private readonly outbox = new Outbox();
  private readonly unitOfWork: UnitOfWork;
  private readonly search: AffectedSearch;
  private readonly leases: LeasedWork;
  private readonly lookEveryMs: number;
  private readonly batch: number;

  constructor(
    private readonly database: Database,
    { leaseMs, lookEveryMs = LOOK_EVERY_MS, batch = BATCH }: FanOutOptions = {},
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.search = new AffectedSearch(database);
    this.leases = new LeasedWork(database, INCIDENTS, leaseMs);
    this.lookEveryMs = lookEveryMs;
    this.batch = batch;
  }

  /** Asks whether any incident may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** @returns the incident that has waited longest for a worker; null without one. */
  claim(): Promise<Claim | null> {
    return this.leases.claimOne();
  }

  /**
   * Does what is due of a leased incident, up to a number of batches, and gives the lease back.
   * @throws LeaseLostError
   */
  async run(lease: Claim, isAffected: IsAffected): Promise<void> {
    let batches = 0;
    while (batches < BATCHES_A_LEASE) {
      const incident = await this.read(lease);
      const { toldCount, updateCount } = incident;
      if (incident.lookStartedAt !== null) {
        batches += await this.continueLook(lease, incident, isAffected, BATCHES_A_LEASE - batches);
      } else if (toldCount > 0 && toldCount < updateCount) {
        await this.tellBatch(lease);
        batches += 1;
      } else if (incident.isLookDue) {
        await this.beginLook(lease);
      } else break;
    }
    await this.release(lease);
  }

  private async read({ id, fence }: Claim): Promise<LeasedIncident> {
    const { rows } = await this.database.background.query<LeasedIncident>(
      `SELECT id, audience, organization_ids AS "organizationIds", providers, models, cursor,
         told_count AS "toldCount", update_count AS "updateCount", look_started_at AS "lookStartedAt",
         looked_until AS "lookedUntil",
         told_count = 0 OR state <> 'resolved'
           AND (looked_until IS NULL OR looked_until <= clock_timestamp() - $3 * interval '1 ms') AS "isLookDue"
       FROM incidents WHERE id = $1 AND fence = $2`,
      [id, fence, this.lookEveryMs],
    );
    const [row] = rows;
    if (row === undefined) throw new LeaseLostError('another worker has the incident');
    return row;
  }

  private async beginLook({ id, fence }: Claim): Promise<void> {
    await this.database.background.query(
      `UPDATE incidents SET look_started_at = clock_timestamp(), cursor = '' WHERE id = $1 AND fence = $2`,
      [id, fence],
    );
  }

  /** @returns how many batches it wrote, `batchesMax` at most. */
  private async continueLook(
    lease: Claim,
    incident: LeasedIncident,
    isAffected: IsAffected,
    batchesMax: number,
  ): Promise<number> {
    const { organizationIds, upTo } = await this.search.after(incident, isAffected);
    const batches = Math.max(Math.ceil(organizationIds.length / this.batch), 1);
    const written = Math.min(batches, batchesMax);
    for (let at = 0; at < written; at++) {
      const ids = organizationIds.slice(at * this.batch, (at + 1) * this.batch);
      await this.joinBatch(lease, ids, at === batches - 1 ? upTo : (ids.at(-1) ?? null));
    }
    return written;
  }

  /** @param upTo the cursor after the batch; null at the end of the search. */
  private joinBatch(lease: Claim, ids: readonly string[], upTo: string | null): Promise<void> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const locked = await this.lock(tx, lease);
      const told = Math.max(locked.toldCount, 1);
      const joined = await prisma.$queryRaw<{ organizationId: string }[]>`
        INSERT INTO incident_organizations (incident_id, organization_id, affected_since, told_count)
        SELECT ${lease.id}, organization_id, ${locked.at}, ${told} FROM unnest(${[...ids]}::text[]) AS j (organization_id)
        ON CONFLICT DO NOTHING RETURNING organization_id AS "organizationId"`;
      await this.announce(tx, locked, told, 'incident.opened', joined);
      const isEnd = upTo === null;
      await prisma.$executeRaw`
        UPDATE incidents SET organization_count = organization_count + ${joined.length}, told_at = ${locked.at},
          cursor = ${upTo ?? ''},
          told_count = CASE WHEN ${isEnd} THEN ${told} ELSE told_count END,
          looked_until = CASE WHEN ${isEnd} THEN look_started_at ELSE looked_until END,
          look_started_at = CASE WHEN ${isEnd} THEN NULL ELSE look_started_at END
        WHERE id = ${lease.id}`;
      await this.leases.prolong(lease, tx);
    });
  }

  /** Tells the next update to a batch of organizations. */
  private tellBatch(lease: Claim): Promise<void> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const locked = await this.lock(tx, lease);
      const number = locked.toldCount + 1;
      const page = await prisma.$queryRaw<{ organizationId: string; isTold: boolean }[]>`
        WITH page AS MATERIALIZED (
          SELECT organization_id FROM incident_organizations
          WHERE incident_id = ${lease.id} AND organization_id > ${locked.cursor}
          ORDER BY organization_id LIMIT ${this.batch}
        ), told AS (
          UPDATE incident_organizations i SET told_count = ${number} FROM page
          WHERE i.incident_id = ${lease.id} AND i.organization_id = page.organization_id
            AND i.told_count < ${number}
          RETURNING i.organization_id
        )
        SELECT page.organization_id AS "organizationId", told.organization_id IS NOT NULL AS "isTold"
        FROM page LEFT JOIN told USING (organization_id) ORDER BY page.organization_id`;
      const toldAt = await this.announce(
        tx,
        locked,
        number,
        null,
        page.filter(({ isTold }) => isTold),
      );
      const isEnd = page.length < this.batch;
      await prisma.$executeRaw`
        UPDATE incidents SET told_at = ${toldAt}, cursor = ${isEnd ? '' : (page.at(-1)?.organizationId ?? '')},
          told_count = CASE WHEN ${isEnd} THEN ${number} ELSE told_count END
        WHERE id = ${lease.id}`;
      await this.leases.prolong(lease, tx);
    });
  }

  /**
   * Records the event of an update for each organization.
   * @param type null for the type that the state of the update says.
   * @returns the time of the events.
   */
  private async announce(
    tx: Transaction,
    incident: LockedIncident,
    number: number,
    type: 'incident.opened' | null,
    organizations: readonly { readonly organizationId: string }[],
  ): Promise<Date> {
    const { at } = incident;
    if (organizations.length === 0) return at;
    const incidentId = incident.id;
    const update = await prismaOf(tx).incidentUpdate.findUniqueOrThrow({
      where: { incidentId_number: { incidentId, number } },
    });
    const toEvent = eventOf(incident, update as unknown as ToldUpdate, type);
    await this.outbox.append(tx, ...organizations.map(({ organizationId }) => toEvent(organizationId)));
    return at;
  }

  /** An update that an operator has written meanwhile stays due. Times have milliseconds, and rounded up one would not be due yet. */
  private async release(lease: Claim): Promise<void> {
    const dueAt = `due_at = CASE
      WHEN told_count < update_count OR look_started_at IS NOT NULL THEN date_trunc('milliseconds', clock_timestamp())
      WHEN state <> 'resolved' THEN looked_until + $3 * interval '1 ms' END`;
    await this.leases.giveBack(lease, dueAt, [this.lookEveryMs]);
  }

  /** Locks the incident against updates and other workers until the transaction ends. @throws LeaseLostError */
  private lock(tx: Transaction, lease: Claim): Promise<LockedIncident> {
    return this.leases.lock(tx, lease, LOCKED);
  }
}

interface LeasedIncident extends SearchedIncident {
  readonly toldCount: number;
  readonly updateCount: number;
  readonly lookStartedAt: Date | null;
  readonly isLookDue: boolean;
}

interface LockedIncident {
  readonly id: string;
  readonly title: string;
  readonly source: IncidentSource;
  readonly startedAt: Date;
  readonly toldCount: number;
  readonly cursor: string;
  /** The time of the next events: later than all before, so that the relay sends them in this order. */
  readonly at: Date;
}

const LOCKED = `id, title, source, started_at AS "startedAt", told_count AS "toldCount", cursor,
  greatest(date_trunc('milliseconds', clock_timestamp()), told_at + interval '1 ms') AS at`;

interface ToldUpdate extends IncidentStanding {
  readonly state: IncidentState;
  readonly severity: IncidentSeverity;
  readonly at: Date;
}

function eventOf(
  { id, title, source, startedAt, at }: LockedIncident,
  { state, severity, components, providers, models, at: saidAt }: ToldUpdate,
  opened: 'incident.opened' | null,
): (organizationId: string) => RecordedEvent {
  const started_at = startedAt.toISOString();
  const data = { incident_id: id, title, source, state, severity, components, providers, models, started_at };
  const type = opened ?? eventOfUpdate(state);
  const nowMs = at.getTime();
  const newId = () => formatId('event', nowMs, randomBytes(ID_ENTROPY_BYTES));
  return (organizationId) =>
    type === 'incident.resolved'
      ? recordEvent(newId(), type, organizationId, nowMs, { ...data, resolved_at: saidAt.toISOString() })
      : recordEvent(newId(), type, organizationId, nowMs, data);
}
