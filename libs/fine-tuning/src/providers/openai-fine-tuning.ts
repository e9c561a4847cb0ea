import type OpenAI from 'openai';
import type { toStreamingFile } from 'openai';
import { z } from 'zod';
import {
  type FineTuningProvider,
  type NewProviderJob,
  type ProviderCheckpoint,
  type ProviderJob,
  type ProviderJobEvent,
  type ProviderUpload,
} from '../rules/provider/fine-tuning-provider';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { parsed, readCheckpoint, readEvent, readJob, readObjectId } from './present-job';
import { failureOf } from './provider-answer';

/** How long questions may take, in milliseconds. */
export interface QuestionBounds {
  /** From the question to the end of its answer. */
  readonly answerMs: number;
  /** An upload of which no piece is taken for so long is given up. */
  readonly uploadIdleMs: number;
  /** All of an upload, with its answer. */
  readonly uploadMs: number;
}

const PURPOSE = 'fine-tune';
const JOBS = '/fine_tuning/jobs';
const FILES_PER_PAGE = 10_000;
const JOBS_PER_PAGE = 100;
const EVENTS_PER_PAGE = 100;
/** Of one search: it ends at a provider that never ends its list. */
const PAGES_MAX = 100;

/** https://developers.openai.com/api/reference/resources/fine_tuning */
export class OpenaiFineTuning implements FineTuningProvider {
  constructor(
    private readonly client: OpenAI,
    private readonly streamingFile: typeof toStreamingFile,
    private readonly bounds: QuestionBounds,
  ) {}

  async uploadFile({ name, content }: ProviderUpload): Promise<string> {
    const idle = new AbortController();
    const timer = setTimeout(() => {
      idle.abort();
    }, this.bounds.uploadIdleMs);
    async function* watched() {
      for await (const piece of content()) {
        timer.refresh();
        yield piece;
      }
      timer.refresh();
    }
    const signal = AbortSignal.any([idle.signal, AbortSignal.timeout(this.bounds.uploadMs)]);
    try {
      const file = await answered(() =>
        this.client.files.create(
          { file: this.streamingFile(watched(), name), purpose: PURPOSE },
          { signal, timeout: this.bounds.uploadMs },
        ),
      );
      return readObjectId(file);
    } finally {
      clearTimeout(timer);
    }
  }

  async findFile(name: string): Promise<string | null> {
    for await (const page of this.pages<{ filename?: unknown }>('/files', {
      purpose: PURPOSE,
      limit: FILES_PER_PAGE,
    })) {
      const found = page.find(({ filename }) => filename === name);
      if (found !== undefined) return readObjectId(found);
    }
    return null;
  }

  async deleteFile(id: string): Promise<void> {
    await unlessUnknown(() => answered(() => this.client.files.delete(id, this.bound())));
  }

  async createJob(job: NewProviderJob): Promise<ProviderJob> {
    const { epochs, batchSize, learningRateMultiplier } = job.hyperparameters;
    const hyperparameters = {
      n_epochs: epochs,
      batch_size: batchSize,
      learning_rate_multiplier: learningRateMultiplier,
    };
    const created = await answered(() =>
      this.client.fineTuning.jobs.create(
        {
          model: job.model,
          training_file: job.trainingFile,
          ...(job.validationFile === null ? {} : { validation_file: job.validationFile }),
          ...(job.suffix === null ? {} : { suffix: job.suffix }),
          ...(job.seed === null ? {} : { seed: job.seed }),
          metadata: { svc_job_id: job.jobId },
          method: { type: 'supervised', supervised: { hyperparameters } },
        },
        this.bound(),
      ),
    );
    return readJob(created);
  }

  async findJob(jobId: string): Promise<ProviderJob | null> {
    const query = { limit: JOBS_PER_PAGE, metadata: { svc_job_id: jobId } };
    for await (const page of this.pages<{ metadata?: Readonly<Record<string, unknown>> | null }>(
      JOBS,
      query,
    )) {
      // A provider that knows no filter lists all of them.
      const found = page.find(({ metadata }) => metadata?.['svc_job_id'] === jobId);
      if (found !== undefined) return readJob(found);
    }
    return null;
  }

  async readJob(id: string): Promise<ProviderJob | null> {
    const job = await unlessUnknown(() =>
      answered(() => this.client.fineTuning.jobs.retrieve(id, this.bound())),
    );
    return job && readJob(job);
  }

  async cancelJob(id: string): Promise<ProviderJob | null> {
    try {
      const job = await unlessUnknown(() =>
        answered(() => this.client.fineTuning.jobs.cancel(id, this.bound())),
      );
      return job && readJob(job);
    } catch (error) {
      if (!(error instanceof ProviderRefusal)) throw error;
      // It has ended: looking at it tells how.
      return this.readJob(id);
    }
  }

  async listEvents(id: string, after: string | null): Promise<readonly ProviderJobEvent[]> {
    const events = new Map<string, ProviderJobEvent>();
    for await (const page of this.pages(pathOf(id, 'events'), { limit: EVENTS_PER_PAGE })) {
      const read = page.map(readEvent);
      const known = read.findIndex((event) => event.id === after);
      for (const event of known === -1 ? read : read.slice(0, known)) events.set(event.id, event);
      if (known !== -1) break;
    }
    return [...events.values()].reverse();
  }

  async listCheckpoints(id: string): Promise<readonly ProviderCheckpoint[]> {
    const checkpoints = new Map<string, ProviderCheckpoint>();
    for await (const page of this.pages(pathOf(id, 'checkpoints'), { limit: EVENTS_PER_PAGE })) {
      for (const checkpoint of page.map(readCheckpoint)) checkpoints.set(checkpoint.id, checkpoint);
    }
    return [...checkpoints.values()].reverse();
  }

  async deleteModel(name: string): Promise<void> {
    await unlessUnknown(() => answered(() => this.client.models.delete(name, this.bound())));
  }

  /**
   * Pages one after another, newest first. A list that is unknown is empty. The library takes an answer without a list for
   * an empty one: so it is asked for the answer as it is, because what is not found is made anew.
   */
  private async *pages<T>(
    path: string,
    query: Readonly<Record<string, unknown>>,
  ): AsyncGenerator<readonly (T & { readonly id?: unknown })[], void> {
    let after: unknown;
    for (let number = 0; number < PAGES_MAX; number++) {
      const cursor = after === undefined ? {} : { after };
      const answer = await unlessUnknown(() =>
        answered(() => this.client.get<unknown>(path, { query: { ...query, ...cursor }, ...this.bound() })),
      );
      if (answer === null) return;
      const { data, has_more: hasMore } = parsed(listed, answer);
      yield data as readonly (T & { readonly id?: unknown })[];
      const last = data.at(-1)?.id;
      if (hasMore !== true || last === undefined || last === after) return;
      after = last;
    }
  }

  private bound(): Bound {
    return { signal: AbortSignal.timeout(this.bounds.answerMs), timeout: this.bounds.answerMs };
  }
}

interface Bound {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

const listed = z.object({
  data: z.array(z.looseObject({ id: z.string() })),
  has_more: z.boolean().nullish(),
});

const pathOf = (jobId: string, part: string): string => `${JOBS}/${encodeURIComponent(jobId)}/${part}`;

/** The provider does not know what it was asked about. */
class UnknownThere extends ProviderRefusal {}

/** @throws UnknownThere for a 404, another ProviderRefusal, ProviderUnreachable. */
async function answered<T>(ask: () => PromiseLike<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    // The library's classes are not loaded here, because its import is late.
    const { status, code, param } = error as { status?: unknown; code?: unknown; param?: unknown };
    if (typeof status !== 'number')
      throw new ProviderUnreachable('The provider did not answer.', { cause: error });
    if (status === 404) throw new UnknownThere('The provider does not know it.', textOf(code));
    throw failureOf({ status, code: textOf(code), param: textOf(param) });
  }
}

/** @returns null where the provider does not know it. */
async function unlessUnknown<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof UnknownThere) return null;
    throw error;
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
