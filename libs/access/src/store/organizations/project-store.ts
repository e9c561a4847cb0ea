import {
  among,
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Page, type Slice } from '@svc/kernel';

type ProjectState = 'active' | 'archived';

export interface ProjectRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly state: ProjectState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface ProjectChange {
  readonly name?: string | undefined;
  readonly state?: ProjectState | undefined;
}

export interface ProjectFilter {
  readonly ids?: readonly string[] | undefined;
}

export class ProjectStore {
  constructor(private readonly database: Database) {}

  /** Another organization's project is not found. */
  async findProject(organizationId: string, projectId: string): Promise<ProjectRecord | null> {
    const { rows } = await this.database.pool.query<ProjectRecord>({
      name: 'find_project',
      text: `SELECT id, organization_id AS "organizationId", name, state,
               created_at AS "createdAt", updated_at AS "updatedAt"
             FROM projects WHERE organization_id = $1 AND id = $2`,
      values: [organizationId, projectId],
    });
    return rows[0] ?? null;
  }

  /** @param only the one project that the caller may see; null for all. */
  async listProjects(
    organizationId: string,
    page: Page,
    { ids }: ProjectFilter,
    only: string | null = null,
  ): Promise<Slice<ProjectRecord>> {
    const rows = await this.database.prisma.project.findMany({
      ...pageArguments(page),
      where: { AND: [{ organizationId, ...olderThan(page) }, among(ids), only === null ? {} : { id: only }] },
    });
    return sliceOf(rows, page, toRecord);
  }

  /** Counts the active projects. Locks the organization until the transaction ends, so that none is added meanwhile. */
  async lockProjectCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.project.count({ where: { organizationId, state: 'active' } });
  }

  async createProject(
    tx: Transaction,
    project: { readonly id: string; readonly organizationId: string; readonly name: string },
  ): Promise<ProjectRecord> {
    return toRecord(await prismaOf(tx).project.create({ data: project }));
  }

  /** Locks the project until the transaction ends, so that the audit entry states the right old and new values. */
  async lockProject(
    tx: Transaction,
    organizationId: string,
    projectId: string,
  ): Promise<ProjectRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM projects WHERE organization_id = ${organizationId} AND id = ${projectId} FOR UPDATE`;
    const row = await prisma.project.findFirst({ where: { organizationId, id: projectId } });
    return row && toRecord(row);
  }

  /** Changes only the given fields. */
  async changeProject(
    tx: Transaction,
    projectId: string,
    { name, state }: ProjectChange,
  ): Promise<ProjectRecord> {
    const data = { ...(name === undefined ? {} : { name }), ...(state === undefined ? {} : { state }) };
    return toRecord(await prismaOf(tx).project.update({ where: { id: projectId }, data }));
  }
}

interface Row extends Omit<ProjectRecord, 'state'> {
  readonly state: string;
}

const toRecord = (row: Row): ProjectRecord => ({ ...row, state: row.state as ProjectState });
