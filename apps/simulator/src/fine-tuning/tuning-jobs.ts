import { type BodyFields } from '../body/body-fields';
import { Refusal } from '../refusal';
import { type FineTuningDirective } from './fine-tuning-settings';
import { newUpstreamId } from './new-upstream-id';
import { readTuningJob } from './read-tuning-job';
import { type TrainingFiles } from './training-files';
import { TuningJob } from './tuning-job';

/** The jobs of the simulated provider, and the models that came of them. */
export class TuningJobs {
  private readonly jobs = new Map<string, TuningJob>();
  private readonly deletedModels = new Set<string>();

  constructor(private readonly files: TrainingFiles) {}

  /** @throws Refusal 400. */
  add(body: BodyFields, settings: FineTuningDirective, nowMs: number): TuningJob {
    const asked = readTuningJob(body);
    const file = this.files.find(asked.trainingFile);
    if (file === undefined) throw noFile('training_file', asked.trainingFile);
    if (asked.validationFile !== null && this.files.find(asked.validationFile) === undefined)
      throw noFile('validation_file', asked.validationFile);
    const directive = { ...settings, ...file.facts.directive };
    if (directive.job === 'refused') {
      const message = `Model ${asked.model} is not available for fine-tuning.`;
      throw new Refusal(400, message, { param: 'model', code: 'model_not_available' });
    }
    const id = newUpstreamId('ftjob-');
    const result = `ft:${asked.model}:svc-simulator:${asked.suffix ?? ''}:${id.slice(-8)}`;
    const job = new TuningJob({
      ...asked,
      id,
      result,
      tokens: file.facts.tokens,
      createdAtMs: nowMs,
      directive,
    });
    this.jobs.set(id, job);
    return job;
  }

  /** Newest first. `metadata[name]` in the query leaves those out that have another; `metadata=null` those that have any. */
  list(query: URLSearchParams, nowMs: number): readonly TuningJob[] {
    const wanted = [...query].flatMap(([name, value]) => {
      const field = /^metadata\[(.+)\]$/.exec(name)?.[1];
      return field === undefined ? [] : [[field, value] as const];
    });
    return [...this.jobs.values()]
      .filter((job) => !job.isForgotten(nowMs))
      .filter(({ job: { metadata } }) => wanted.every(([field, value]) => metadata?.[field] === value))
      .filter(({ job: { metadata } }) => query.get('metadata') !== 'null' || metadata === null)
      .reverse();
  }

  /** @throws Refusal 404. */
  get(id: string, nowMs: number): TuningJob {
    const job = this.jobs.get(id);
    if (job !== undefined && !job.isForgotten(nowMs)) return job;
    throw new Refusal(404, `Could not find fine tune: ${id}`, {
      param: 'fine_tuning_job_id',
      code: 'fine_tune_not_found',
    });
  }

  /** @throws Refusal 400 for one that has ended. */
  cancel(id: string, nowMs: number): TuningJob {
    const job = this.get(id, nowMs);
    if (job.cancel(nowMs)) return job;
    throw new Refusal(400, `Job has already completed: ${id}`, { code: 'fine_tune_already_completed' });
  }

  /** The directive of the file that a model was trained with; empty for a model that it did not train. */
  directiveOf(model: string): FineTuningDirective {
    return this.madeBy(model)?.job.directive ?? {};
  }

  /** @throws Refusal 404. */
  removeModel(model: string, nowMs: number): object {
    if (this.isDeleted(model) || this.madeBy(model)?.status(nowMs) !== 'succeeded') throw noModel(model);
    this.deletedModels.add(model);
    return { id: model, object: 'model', deleted: true };
  }

  isDeleted(model: string): boolean {
    return this.deletedModels.has(model);
  }

  /** The names of the models that there are. */
  models(nowMs: number): readonly string[] {
    return [...this.jobs.values()]
      .filter((job) => job.status(nowMs) === 'succeeded' && !this.isDeleted(job.job.result))
      .map(({ job }) => job.result);
  }

  private madeBy(model: string): TuningJob | undefined {
    return [...this.jobs.values()].find(({ job }) => job.result === model);
  }
}

export const noModel = (model: string): Refusal =>
  new Refusal(404, `The model '${model}' does not exist or you do not have access to it.`, {
    param: 'model',
    code: 'model_not_found',
  });

const noFile = (param: string, id: string): Refusal =>
  new Refusal(400, `invalid ${param}: ${id}`, { param, code: 'invalid_value' });
