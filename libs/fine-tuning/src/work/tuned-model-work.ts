import { type Claim, type Database, LeasedWork } from '@svc/database';
import { retryDelayMs } from '../rules/jobs/retry-times';
import { toTunedModel, type TunedModelRecord } from '../store/tuned-model-store';

const MODELS = { table: 'fine_tuned_models', key: 'name', what: 'the model' };

interface DeletedModel extends TunedModelRecord {
  readonly fence: bigint;
  readonly failures: number;
}

/** Deletes models at their providers, for as long as it takes. Deleting one twice does no harm. */
export class TunedModelWork {
  private readonly leases: LeasedWork;

  constructor(private readonly database: Database) {
    this.leases = new LeasedWork(database, MODELS);
  }

  /** Asks whether any model may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  async claim(limit: number): Promise<readonly DeletedModel[]> {
    const fences = new Map((await this.leases.claim(limit)).map(({ id, fence }) => [id, fence]));
    const found = await this.database.prisma.fineTunedModel.findMany({
      where: { name: { in: [...fences.keys()] } },
    });
    return found.map((row) => ({
      ...toTunedModel(row),
      fence: fences.get(row.name) ?? row.fence,
      failures: row.failures,
    }));
  }

  async bookDeleted(model: DeletedModel): Promise<void> {
    await this.leases.giveBack(claimOf(model), 'due_at = NULL, failures = 0');
  }

  async postpone(model: DeletedModel): Promise<void> {
    const change = `failures = failures + 1, due_at = clock_timestamp() + $3 * interval '1 ms'`;
    await this.leases.giveBack(claimOf(model), change, [retryDelayMs(model.failures + 1)]);
  }
}

const claimOf = ({ name, fence }: DeletedModel): Claim => ({ id: name, fence });
