import { type Database } from '@svc/database';
import { type JsonValue } from '@svc/kernel';
import { type IncidentAudience } from '../rules/incident';

/** The scope of an incident, and how far the affected were searched. */
export interface SearchedIncident {
  readonly id: string;
  readonly audience: IncidentAudience;
  readonly organizationIds: readonly string[];
  readonly providers: readonly string[];
  readonly models: readonly string[];
  readonly cursor: string;
  readonly lookedUntil: Date | null;
}

/** An organization whose policy has an allow list. */
export interface LimitedOrganization {
  readonly organizationId: string;
  /** As the user wrote it. */
  readonly document: JsonValue;
  /** The providers that it has an active credential of. */
  readonly ownProviders: readonly string[];
}

/** True where an incident of these providers and models affects the organization by its policy. */
export type IsAffected = (
  organization: LimitedOrganization,
  scope: Pick<SearchedIncident, 'providers' | 'models'>,
) => boolean;

/** A part of the search, in the order of ids. */
interface FoundOrganizations {
  readonly organizationIds: readonly string[];
  /** Every organization up to this one has been judged; null for all. */
  readonly upTo: string | null;
}

/** Organizations in memory at once. */
const FOUND_MAX = 10_000;
/** Policies in memory at once. One may list thousands of names. */
const POLICIES_MAX = 200;

/** Finds the organizations that an incident affects and that have not been told of it. */
export class AffectedSearch {
  constructor(private readonly database: Database) {}

  /** Those after the incident's cursor, some at a time. */
  async after(incident: SearchedIncident, isAffected: IsAffected): Promise<FoundOrganizations> {
    if (incident.audience !== 'affected') return this.everybody(incident);
    const [callers, policies] = await Promise.all([
      this.callers(incident),
      this.limited(incident, isAffected),
    ]);
    const ends = [callers.upTo, policies.upTo].filter((id) => id !== null).sort();
    const upTo = ends[0] ?? null;
    const ids = new Set([...callers.organizationIds, ...policies.organizationIds]);
    const organizationIds = [...ids].filter((id) => upTo === null || id <= upTo).sort();
    return { organizationIds, upTo };
  }

  private everybody({
    id,
    audience,
    organizationIds,
    cursor,
  }: SearchedIncident): Promise<FoundOrganizations> {
    return this.read(
      `SELECT o.id FROM organizations o
       WHERE o.id > $2 AND ($3::text[] IS NULL OR o.id = ANY ($3))
         AND NOT EXISTS (SELECT FROM incident_organizations i WHERE i.incident_id = $1 AND i.organization_id = o.id)
       ORDER BY o.id LIMIT $4`,
      [id, cursor, audience === 'all' ? null : organizationIds],
    );
  }

  /**
   * The callers of the last 24 hours. Later searches read the calls since the one before. Edges write a minute within
   * seconds after its end, so five minutes cover those that came late.
   */
  private callers({ id, cursor, providers, models, lookedUntil }: SearchedIncident) {
    return this.read(
      `WITH since AS MATERIALIZED (
         SELECT greatest($6::timestamptz - interval '5 min', now() - interval '24 h') AS minute
       )
       SELECT c.id FROM (
         SELECT organization_id AS id FROM call_minutes
           WHERE provider = ANY ($3) AND minute >= (SELECT minute FROM since)
         UNION
         SELECT organization_id FROM call_minutes
           WHERE model = ANY ($5) AND minute >= (SELECT minute FROM since)
       ) c
       WHERE c.id > $2
         AND NOT EXISTS (SELECT FROM incident_organizations i WHERE i.incident_id = $1 AND i.organization_id = c.id)
       ORDER BY c.id LIMIT $4`,
      [id, cursor, providers],
      [models, lookedUntil],
    );
  }

  /** @param rest the parameters after the limit, which is the fourth. */
  private async read(
    text: string,
    first: readonly [string, string, readonly string[] | null],
    rest: readonly unknown[] = [],
  ): Promise<FoundOrganizations> {
    const { rows } = await this.database.background.query<{ id: string }>(text, [
      ...first,
      FOUND_MAX,
      ...rest,
    ]);
    const organizationIds = rows.map(({ id }) => id);
    return { organizationIds, upTo: rows.length < FOUND_MAX ? null : (organizationIds.at(-1) ?? null) };
  }

  private async limited(incident: SearchedIncident, isAffected: IsAffected): Promise<FoundOrganizations> {
    const { rows } = await this.database.background.query<LimitedOrganization>(
      `SELECT p.organization_id AS "organizationId", p.document,
         ARRAY(SELECT DISTINCT c.provider FROM provider_credentials c
           WHERE c.organization_id = p.organization_id AND c.state = 'active') AS "ownProviders"
       FROM (
         SELECT DISTINCT ON (organization_id) organization_id, document FROM policy_versions
         WHERE organization_id > $2 ORDER BY organization_id, version DESC
       ) p
       WHERE 'array' IN (jsonb_typeof(p.document -> 'allowed_models'), jsonb_typeof(p.document -> 'allowed_providers'),
           jsonb_typeof(p.document -> 'allowed_regions'))
         AND NOT EXISTS (SELECT FROM incident_organizations i
           WHERE i.incident_id = $1 AND i.organization_id = p.organization_id)
       ORDER BY p.organization_id LIMIT $3`,
      [incident.id, incident.cursor, POLICIES_MAX],
    );
    const organizationIds = rows
      .filter((organization) => isAffected(organization, incident))
      .map(({ organizationId }) => organizationId);
    return {
      organizationIds,
      upTo: rows.length < POLICIES_MAX ? null : (rows.at(-1)?.organizationId ?? null),
    };
  }
}
