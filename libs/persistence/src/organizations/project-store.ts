import { type Database } from '../database/database';

export interface ProjectRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly state: 'active' | 'archived';
}

export class ProjectStore {
  constructor(private readonly database: Database) {}

  /** @returns null for an unknown project, and for one of another organization. */
  async find(organizationId: string, projectId: string): Promise<ProjectRecord | null> {
    const { rows } = await this.database.pool.query<ProjectRecord>({
      name: 'find_project',
      text: `SELECT id, organization_id AS "organizationId", name, state
             FROM projects WHERE organization_id = $1 AND id = $2`,
      values: [organizationId, projectId],
    });
    return rows[0] ?? null;
  }
}
