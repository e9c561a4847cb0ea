import { isAnyAction, isAnyOf } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { type ExportFilter, type ExportFilterName } from '../rules/export-kinds';

/** The columns of the filters of all kinds but `action`, which may name all that was done to a noun. */
const filterColumns: Readonly<Record<Exclude<ExportFilterName, 'action'>, Prisma.Sql>> = {
  project_id: Prisma.sql`project_id`,
  api_key_id: Prisma.sql`api_key_id`,
  model: Prisma.sql`model`,
  provider: Prisma.sql`provider`,
  status: Prisma.sql`status`,
  kind: Prisma.sql`kind`,
  actor_id: Prisma.sql`actor_id`,
  endpoint_id: Prisma.sql`endpoint_id`,
  event_type: Prisma.sql`event_type`,
};

/** Conditions for a row. @param projectId the only project; null for all. */
export function filterConditions(filter: ExportFilter, projectId: string | null): readonly Prisma.Sql[] {
  const given = Object.entries(filter) as [ExportFilterName, readonly string[]][];
  return [
    ...given.map(([name, values]) =>
      name === 'action' ? isAnyAction(values) : isAnyOf(filterColumns[name], values),
    ),
    ...(projectId === null ? [] : [Prisma.sql`project_id = ${projectId}`]),
  ];
}
