import { Injectable } from '@nestjs/common';
import { known, unknownCursor, type Caller } from '@svc/api';
import { type Page, type Slice } from '@svc/kernel';
import { Mutations } from '@svc/approvals/store';
import { type TunedModelRecord, TunedModelStore } from '@svc/fine-tuning/store';

/** The models that an organization had trained (docs/reference/fine-tuning.md#models). */
@Injectable()
export class TunedModels {
  constructor(
    private readonly store: TunedModelStore,
    private readonly mutations: Mutations,
  ) {}

  /** Newest first. @throws GatewayError `invalidRequest` for a page after no model of the organization. */
  async list({ organizationId, projectId }: Caller, page: Page): Promise<Slice<TunedModelRecord>> {
    const found = await this.store.listModels(organizationId, page, projectId);
    if (found === null) throw unknownCursor();
    return found;
  }

  /** Deletes a model, also at its provider. Calls cannot use it from then on. @throws GatewayError `notFound`. */
  remove(caller: Caller, name: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const found = known(await this.store.lockModel(tx, caller.organizationId, name, caller.projectId));
      await audit('fine_tuning_model.delete', name, {
        base_model: { from: found.baseModel },
        fine_tuning_job_id: { from: found.jobId },
      });
      await this.store.removeModel(tx, name);
    });
  }
}
