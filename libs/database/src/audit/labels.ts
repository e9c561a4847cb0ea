import { type JsonValue } from '@svc/kernel';
import { Prisma } from '../generated/prisma/client';

/** The label of a thing: its name, or the e-mail address of a user. Null where it has none, or is gone. */
export type Label = string | null;

const LABEL_MAX = 500;

/** How the label of each kind of thing is read, by its id. Kinds that are left out have none. */
const reads: Readonly<Record<string, (id: string) => Prisma.Sql>> = {
  user: (id) => Prisma.sql`SELECT email FROM users WHERE id = ${id}`,
  member: (id) =>
    Prisma.sql`SELECT email FROM users WHERE id = (SELECT user_id FROM members WHERE id = ${id})`,
  invitation: (id) => Prisma.sql`SELECT email FROM invitations WHERE id = ${id}`,
  organization: (id) => Prisma.sql`SELECT name FROM organizations WHERE id = ${id}`,
  project: (id) => Prisma.sql`SELECT name FROM projects WHERE id = ${id}`,
  api_key: (id) => Prisma.sql`SELECT name FROM api_keys WHERE id = ${id}`,
  budget: (id) => Prisma.sql`SELECT name FROM budgets WHERE id = ${id}`,
  provider_credential: (id) => Prisma.sql`SELECT label FROM provider_credentials WHERE id = ${id}`,
  rollout: (id) => Prisma.sql`SELECT name FROM rollouts WHERE id = ${id}`,
  webhook_endpoint: (id) => Prisma.sql`SELECT url FROM webhook_endpoints WHERE id = ${id}`,
  oauth_app: (id) => Prisma.sql`SELECT name FROM oauth_apps WHERE id = ${id}`,
  grant: (id) =>
    Prisma.sql`SELECT name FROM oauth_apps WHERE id = (SELECT app_id FROM oauth_grants WHERE id = ${id})`,
  alert_rule: (id) => Prisma.sql`SELECT name FROM alert_rules WHERE id = ${id}`,
  approval_policy: (id) => Prisma.sql`SELECT name FROM approval_policies WHERE id = ${id}`,
  integration: (id) => Prisma.sql`SELECT name FROM integrations WHERE id = ${id}`,
  file: (id) => Prisma.sql`SELECT filename FROM training_files WHERE id = ${id}`,
  fine_tuning_job: (id) => Prisma.sql`SELECT model_name FROM fine_tuning_jobs WHERE id = ${id}`,
  fine_tuning_endpoint: (id) => Prisma.sql`SELECT model AS name FROM fine_tuning_endpoints WHERE id = ${id}`,
  fine_tuning_model: (id) => Prisma.sql`SELECT name FROM fine_tuned_models WHERE name = ${id}`,
};

const readOf = (type: string, id: string | null): Prisma.Sql =>
  (id !== null && Object.hasOwn(reads, type) ? reads[type]?.(id) : undefined) ??
  Prisma.sql`SELECT NULL::text`;

/** The label of a thing at the moment of the statement, in SQL. */
export const labelOf = (type: string, id: string | null): Prisma.Sql =>
  Prisma.sql`left((${readOf(type, id)}), ${LABEL_MAX}::int)`;

type Named = Readonly<Record<string, { readonly from?: JsonValue; readonly to?: JsonValue }>>;

/** The name that a change states itself, the new one first: whether it is written before or after the row, or deletes it. */
export function nameIn(changes: Named): Label {
  const { from, to } = changes['name'] ?? {};
  const name = to ?? from;
  return typeof name === 'string' ? name.slice(0, LABEL_MAX) : null;
}
