import { type FineTuningProvider } from '../rules/provider/fine-tuning-provider';
import { ProviderUnreachable } from '../rules/provider/provider-failure';

interface Bounds {
  /** Of a question, in milliseconds: above the provider's own. */
  readonly answerMs: number;
  /** Of an upload. */
  readonly uploadMs: number;
}

const BOUNDS: Bounds = { answerMs: 45_000, uploadMs: 3_900_000 };

/** A provider whose questions all end, also where its own bounds fail: one that hangs must not keep a worker. */
export function boundedProvider(
  provider: FineTuningProvider,
  { answerMs, uploadMs }: Bounds = BOUNDS,
): FineTuningProvider {
  const ask = <T>(asked: Promise<T>) => within(answerMs, asked);
  return {
    uploadFile: (upload) => within(uploadMs, provider.uploadFile(upload)),
    findFile: (name) => ask(provider.findFile(name)),
    deleteFile: (id) => ask(provider.deleteFile(id)),
    createJob: (job) => ask(provider.createJob(job)),
    findJob: (jobId) => ask(provider.findJob(jobId)),
    readJob: (id) => ask(provider.readJob(id)),
    cancelJob: (id) => ask(provider.cancelJob(id)),
    listEvents: (id, after) => ask(provider.listEvents(id, after)),
    listCheckpoints: (id) => ask(provider.listCheckpoints(id)),
    deleteModel: (name) => ask(provider.deleteModel(name)),
  };
}

/** A late answer is ignored. */
function within<T>(ms: number, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new ProviderUnreachable('The provider did not answer in time.'));
    }, ms);
    asked.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
