import { type Database, prismaOf, seenBy, type Transaction } from '@svc/database';
import { type FineTunedModel } from '@svc/database/rows';
import { type TunedModel } from '@svc/policy';
import { type Page, type Slice } from '@svc/kernel';

export interface TunedModelRecord extends TunedModel {
  readonly organizationId: string;
  /** The project whose key made it; null for the whole organization. */
  readonly projectId: string | null;
  readonly jobId: string;
}

/** Models that organizations had trained. */
export class TunedModelStore {
  constructor(private readonly database: Database) {}

  /** All that the organization can call, by their names. */
  async activeFor(organizationId: string): Promise<readonly TunedModelRecord[]> {
    const rows = await this.database.prisma.fineTunedModel.findMany({
      where: { organizationId, deletedAt: null },
      orderBy: { name: 'asc' },
    });
    const served = await this.servedModels(organizationId);
    return rows.map((row) => ({ ...toTunedModel(row), servedAs: served.get(row.name) ?? null }));
  }

  /**
   * Newest first. A page goes on after a model by its name, also after one that was deleted meanwhile.
   * @param onlyProject shows only what keys of this project made; null for all.
   * @returns null for a page after what never was a model of the organization.
   */
  async listModels(
    organizationId: string,
    { limit, before: name }: Page,
    onlyProject: string | null,
  ): Promise<Slice<TunedModelRecord> | null> {
    const { fineTunedModel } = this.database.prisma;
    const last = name === null ? null : await fineTunedModel.findFirst({ where: { organizationId, name } });
    if (name !== null && last === null) return null;
    const rows = await fineTunedModel.findMany({
      where: {
        ...seen(organizationId, onlyProject),
        ...(last === null ? {} : { jobId: { lt: last.jobId } }),
      },
      orderBy: { jobId: 'desc' },
      take: limit + 1,
    });
    return { items: rows.slice(0, limit).map(toTunedModel), hasMore: rows.length > limit };
  }

  /** Locks the model until the transaction ends. */
  async lockModel(
    tx: Transaction,
    organizationId: string,
    name: string,
    onlyProject: string | null,
  ): Promise<TunedModelRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM fine_tuned_models
      WHERE organization_id = ${organizationId} AND name = ${name} FOR NO KEY UPDATE`;
    const row = await prisma.fineTunedModel.findFirst({
      where: { ...seen(organizationId, onlyProject), name },
    });
    return row && toTunedModel(row);
  }

  /** Nobody can use it from the commit on. A worker deletes it at the provider. */
  async removeModel(tx: Transaction, name: string): Promise<void> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`
      UPDATE fine_tuned_models SET deleted_at = clock_timestamp(), due_at = clock_timestamp()
      WHERE name = ${name} AND deleted_at IS NULL`;
    // Its machines are stopped by the worker.
    await prisma.$executeRaw`
      UPDATE fine_tuning_endpoint_runs SET due_at = clock_timestamp() WHERE model = ${name} AND ended_at IS NULL`;
  }

  /** The names at their providers of the models that machines of their own serve now. */
  private async servedModels(organizationId: string): Promise<ReadonlyMap<string, string | null>> {
    const runs = await this.database.prisma.fineTuningEndpointRun.findMany({
      where: { organizationId, state: 'running', endedAt: null },
      select: { model: true, inferenceModel: true },
    });
    return new Map(runs.map(({ model, inferenceModel }) => [model, inferenceModel]));
  }
}

const seen = (organizationId: string, onlyProject: string | null) => ({
  ...seenBy(organizationId, onlyProject),
  deletedAt: null,
});

export const toTunedModel = (row: FineTunedModel): TunedModelRecord => ({
  name: row.name,
  organizationId: row.organizationId,
  projectId: row.projectId,
  jobId: row.jobId,
  baseModel: row.baseModel,
  provider: row.provider,
  region: row.region,
  upstreamModel: row.upstreamModel,
  credential: row.credentialId === null ? 'platform' : 'own',
  credentialId: row.credentialId,
  createdAt: row.createdAt,
  servedAs: null,
});
