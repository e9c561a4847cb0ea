import { Inject, Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { type Catalog } from '@svc/catalog';
import {
  heldTokens,
  isOpenJob,
  modelNameOf,
  paidParts,
  priceOfTokens,
  type Hyperparameters,
  type JobState,
} from '@svc/fine-tuning';
import { GatewayError, nanosToJson, type Page, type Slice } from '@svc/kernel';
import { initialFields, type Transaction } from '@svc/database';
import {
  type FineTuningJobRecord,
  FineTuningJobStore,
  type TrainingFileRecord,
  TrainingFileStore,
} from '@svc/fine-tuning/store';
import { type HoldDecision, holdRefusedError, walletBpsOf } from '@svc/ledger';
import { StandingHolds } from '@svc/ledger/store';
import { allowsModel, modelNotFound, planTraining, type Policy } from '@svc/policy';
import { subjectOf } from '../routing/caller-policies';
import { type OrganizationRouting, RoutingSource } from '../routing/routing-source';
import { CATALOG } from '../runtime';
import {
  drawForJob,
  hashOf,
  isFileId,
  knownFile,
  trainingOf,
  type DrawnForJob,
  type JobBody,
} from './job-order';

type Refusal = Exclude<HoldDecision['refusedBy'], null>;
type Made = { readonly record: FineTuningJobRecord } | { readonly refusedBy: Refusal };

interface JobList {
  readonly limit: number;
  readonly after: string | null;
  readonly state?: JobState | undefined;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A job as it is asked for, before its transaction. */
interface AskedJob extends DrawnForJob {
  readonly body: JobBody;
  readonly routing: OrganizationRouting;
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
}

interface OrderedJob extends AskedJob {
  readonly plan: ReturnType<typeof planTraining>;
  readonly credentialId: string | null;
  readonly hyperparameters: Hyperparameters;
  readonly epochs: number;
  readonly file: TrainingFileRecord;
  readonly validation: TrainingFileRecord | null;
}

/** An organization's fine-tuning jobs. Workers move them on (docs/reference/fine-tuning.md#jobs). */
@Injectable()
export class FineTuningJobs {
  private readonly holds = new StandingHolds();

  constructor(
    private readonly store: FineTuningJobStore,
    private readonly files: TrainingFileStore,
    private readonly routing: RoutingSource,
    private readonly mutations: Mutations,
    @Inject(CATALOG) private readonly catalog: () => Catalog,
  ) {}

  /** Newest first. */
  list(
    { organizationId, projectId }: Caller,
    { limit, after, state, metadata }: JobList,
  ): Promise<Slice<FineTuningJobRecord>> {
    return this.store.listJobs(organizationId, { limit, after }, projectId, { state, metadata });
  }

  page(caller: Caller, { limit, before }: Page, state?: JobState): Promise<Slice<FineTuningJobRecord>> {
    return this.list(caller, { limit, after: before, state });
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId, projectId }: Caller, id: string): Promise<FineTuningJobRecord> {
    return known(await this.store.findJob(organizationId, id, projectId));
  }

  /**
   * Makes a job: its money is held with it. A retry with the same key and body within 24 hours answers with the job as it
   * is by then, whatever policies allow by then; another API key or user only where its policy allows the model.
   * @throws GatewayError `notFound` for a model or file that is not there; `noEligibleRoute`, `operationUnsupported`;
   * `invalidRequest`; `insufficientFunds`, `budgetExceeded`; `conflict` where too many are open; `idempotencyKeyReused`.
   */
  async create(caller: Caller, body: JobBody, key: string | null): Promise<FineTuningJobRecord> {
    const routing = await this.routing.of(subjectOf(caller));
    const idempotency = key === null ? null : { key, hash: hashOf(body) };
    const asked = { body, routing, idempotency, ...drawForJob(body) };
    const made = await this.mutations.run(caller, (mutation) => this.createWithin(mutation, caller, asked));
    // Thrown after the commit, which keeps when a budget first refused something.
    if ('refusedBy' in made) throw holdRefusedError(made.refusedBy);
    return made.record;
  }

  /** Asks the provider to end a job. @throws GatewayError `notFound`; `conflict` for one that has ended. */
  cancel(caller: Caller, id: string): Promise<FineTuningJobRecord> {
    const { organizationId, projectId, actor } = caller;
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const found = known(await this.store.lockJob(tx, organizationId, id, projectId));
      if (!isOpenJob(found.state)) {
        throw new GatewayError('conflict', 'Only a job that has not ended can be cancelled.');
      }
      if (found.cancelRequestedAt !== null) return found;
      await audit('fine_tuning_job.cancel', id, { cancel_requested: { from: false, to: true } });
      return this.store.requestCancel(tx, found, actor.id);
    });
  }

  private async createWithin(mutation: Mutation, caller: Caller, asked: AskedJob): Promise<Made> {
    const { tx } = mutation;
    const { organizationId, projectId } = caller;
    const { body, routing, idempotency } = asked;
    // The second of two calls with the same key waits here, and then finds the first one's job.
    const open = await this.store.lockOpen(tx, organizationId);
    const earlier =
      idempotency === null
        ? null
        : await this.store.findByKey(tx, organizationId, projectId, idempotency.key);
    if (earlier !== null) {
      requireReplayable(earlier.record, caller, routing.inForce.policy);
      return { record: sameOrder(earlier, idempotency?.hash) };
    }
    const plan = planTraining(body.model, this.catalog(), routing.availabilityFacts(routing.inForce));
    const credentialId = plan.credential === 'own' ? routing.ownCredentialAt(plan.offer.provider.name) : null;
    const training = trainingOf(body, plan.offer);
    const file = await this.lockFile(tx, caller, body.training_file, 'training_file');
    const validation =
      body.validation_file == null
        ? null
        : await this.lockFile(tx, caller, body.validation_file, 'validation_file');
    if (open.count >= open.max) {
      throw new GatewayError(
        'conflict',
        `An organization has at most ${String(open.max)} open fine-tuning jobs: wait for one, or cancel one.`,
      );
    }
    const placed = { plan, credentialId, file, validation };
    return this.holdAndStore(mutation, caller, { ...asked, ...training, ...placed });
  }

  private async holdAndStore(
    { tx, newId, at, audit }: Mutation,
    { organizationId, projectId, actor }: Caller,
    { body, plan: { offer, credential }, file, validation, entropy, ...ordered }: OrderedJob,
  ): Promise<Made> {
    const id = newId('fineTuningJob');
    const apiKeyId = actor.type === 'api_key' ? actor.id : null;
    const common = { id, organizationId, projectId, apiKeyId };
    const placed = { model: offer.modelId, provider: offer.provider.name };
    const tokens = heldTokens({
      fileTokens: BigInt(file.tokenCount),
      epochs: ordered.epochs,
      maxTrainedTokens: BigInt(offer.maxTrainedTokens),
    });
    const priceBps = walletBpsOf(ordered.routing.prices, credential);
    const { charge: amount, both } = paidParts({ credentialId: ordered.credentialId, priceBps }, (bps) =>
      priceOfTokens(tokens, offer.pricePerTrainedToken, bps),
    );
    const held = both > amount ? { amount, budgetAmount: both } : { amount };
    const hold = await this.holds.open(tx, { ...common, ...placed, kind: 'fine_tuning', ...held });
    if (hold.held === null) return { refusedBy: hold.refusedBy };
    const creator = await this.store.creatorOf(tx, organizationId, ordered.creator);
    const suffix = body.suffix ?? null;
    const record = await this.store.createJob(tx, {
      ...{ ...common, ...placed, suffix },
      creator: { type: actor.type, id: actor.id ?? '' },
      trainingFileId: file.id,
      validationFileId: validation?.id ?? null,
      seed: ordered.seed,
      metadata: body.metadata ?? null,
      hyperparameters: ordered.hyperparameters,
      upstreamModel: offer.upstreamModel,
      region: offer.region,
      credentialId: ordered.credentialId,
      pricePerToken: offer.pricePerTrainedToken,
      priceBps,
      epochs: ordered.epochs,
      held: hold.held,
      modelName: modelNameOf({ creator, baseModel: offer.modelId, suffix, at, entropy }),
      idempotency: ordered.idempotency,
    });
    for (const used of [file, validation]) if (used !== null) await this.files.use(tx, used.id);
    await audit('fine_tuning_job.create', id, initialFields(audited(record)));
    return { record };
  }

  private async lockFile(
    tx: Transaction,
    { organizationId, projectId }: Caller,
    id: string,
    param: string,
  ): Promise<TrainingFileRecord> {
    return knownFile(
      isFileId(id) ? await this.files.lockFile(tx, organizationId, id, projectId) : null,
      param,
    );
  }
}

const audited = (job: FineTuningJobRecord) => ({
  model: job.model,
  training_file: job.trainingFileId,
  validation_file: job.validationFileId,
  provider: job.provider,
  region: job.region,
  held_nanos: nanosToJson(job.held),
});

/** @throws GatewayError `notFound` for another caller whose policy does not allow the model. */
function requireReplayable(
  { creatorId, model: modelId }: FineTuningJobRecord,
  { actor }: Caller,
  policy: Policy,
): void {
  if (creatorId === actor.id || allowsModel(policy, { modelId })) return;
  throw modelNotFound({ modelId });
}

function sameOrder(
  { record, hash }: { readonly record: FineTuningJobRecord; readonly hash: string | null },
  asked: string | undefined,
): FineTuningJobRecord {
  if (hash === asked) return record;
  throw new GatewayError('idempotencyKeyReused', 'This key was used for another job.', {
    param: 'Idempotency-Key',
  });
}
