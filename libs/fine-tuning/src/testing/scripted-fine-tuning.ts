import {
  type FineTuningProvider,
  type NewProviderJob,
  type ProviderCheckpoint,
  type ProviderJob,
  type ProviderJobEvent,
  type ProviderUpload,
} from '../rules/provider/fine-tuning-provider';
import { ProviderUnreachable } from '../rules/provider/provider-failure';

/** The process is killed here: nothing after it happens. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

/** The question is never answered. */
export class Hangs extends Error {
  override readonly name = 'Hangs';
}

type Question = keyof FineTuningProvider;

/** A provider that is what a spec says. It keeps what it was asked to make. */
export class ScriptedFineTuning implements FineTuningProvider {
  readonly files = new Map<string, string>();
  readonly jobs = new Map<string, ProviderJob & { readonly ours: string }>();
  readonly deletedModels = new Set<string>();
  readonly asked: Question[] = [];
  events: readonly ProviderJobEvent[] = [];
  checkpoints: readonly ProviderCheckpoint[] = [];
  /** An error as a question comes, or once it was answered, where `after` says so. */
  trouble: { readonly at: Question; readonly error: Error; readonly after: boolean } | null = null;
  isDown = false;
  /** How many workers were killed while they asked. */
  kills = 0;
  /** The outcome of a cancellation. */
  cancelsTo: Partial<ProviderJob> = { status: 'cancelled' };
  private made = 0;

  uploadFile({ name, content }: ProviderUpload): Promise<string> {
    return this.answer('uploadFile', async () => {
      for await (const piece of content()) void piece;
      const id = this.nextId('file-up');
      this.files.set(id, name);
      return id;
    });
  }

  findFile(name: string): Promise<string | null> {
    return this.answer('findFile', () => [...this.files].find(([, one]) => one === name)?.[0] ?? null);
  }

  deleteFile(id: string): Promise<void> {
    return this.answer('deleteFile', () => {
      this.files.delete(id);
    });
  }

  createJob({ jobId }: NewProviderJob): Promise<ProviderJob> {
    return this.answer('createJob', () => {
      const id = this.nextId('ftjob-up');
      const job = {
        id,
        ours: jobId,
        status: 'validating_files',
        trainedTokens: null,
        fineTunedModel: null,
        epochs: null,
        estimatedFinishAt: null,
        failure: null,
      } as const;
      this.jobs.set(id, job);
      return job;
    });
  }

  findJob(jobId: string): Promise<ProviderJob | null> {
    return this.answer('findJob', () => [...this.jobs.values()].find(({ ours }) => ours === jobId) ?? null);
  }

  readJob(id: string): Promise<ProviderJob | null> {
    return this.answer('readJob', () => this.jobs.get(id) ?? null);
  }

  cancelJob(id: string): Promise<ProviderJob | null> {
    return this.answer('cancelJob', () => {
      const job = this.jobs.get(id);
      if (job !== undefined && !isEnded(job)) this.say(job.ours, this.cancelsTo);
      return this.jobs.get(id) ?? null;
    });
  }

  listEvents(_id: string, after: string | null): Promise<readonly ProviderJobEvent[]> {
    return this.answer('listEvents', () =>
      this.events.slice(this.events.findIndex(({ id }) => id === after) + 1),
    );
  }

  listCheckpoints(): Promise<readonly ProviderCheckpoint[]> {
    return this.answer('listCheckpoints', () => this.checkpoints);
  }

  deleteModel(name: string): Promise<void> {
    return this.answer('deleteModel', () => {
      this.deletedModels.add(name);
    });
  }

  /** Changes what the provider says of our job from now on. */
  say(ours: string, facts: Partial<ProviderJob>): void {
    for (const [id, job] of this.jobs) if (job.ours === ours) this.jobs.set(id, { ...job, ...facts });
  }

  private nextId(prefix: string): string {
    this.made += 1;
    return `${prefix}-${String(this.made)}`;
  }

  private async answer<T>(question: Question, does: () => T | Promise<T>): Promise<T> {
    this.asked.push(question);
    if (this.isDown) throw new ProviderUnreachable('The provider is down.');
    const { trouble } = this;
    if (trouble?.at !== question) return does();
    this.trouble = null;
    if (trouble.after) await does();
    if (trouble.error instanceof Hangs) return new Promise<T>(() => undefined);
    if (trouble.error instanceof Killed) this.kills += 1;
    throw trouble.error;
  }
}

const isEnded = ({ status }: ProviderJob): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled';
