import { toFile } from 'openai';
import { testModel, type CatalogDocument } from '../harness/catalog-file';
import { directedText, openAiClient } from '../harness/clients';
import { sleep } from '../harness/sleep';
import { type At } from '../distributed/lanes';
import { OK } from '../distributed/steady-load';

/** As long as it takes to replace a service: a job is under way when its worker ends. */
const TRAIN_MS = 5_000;
const EXAMPLES = 20;
const POLLS_MAX = 240;

/** The catalog with the test model as one that can be trained at its provider of chat completions. */
export function trainable(catalog: CatalogDocument): CatalogDocument {
  const [chat] = catalog.endpoints;
  if (chat === undefined) throw new Error('The catalog has no endpoint.');
  const { provider, upstream_model, region, data_retention } = chat;
  const base = {
    ...{ model: testModel, provider, upstream_model, region, data_retention },
    price_per_trained_token: 3_000,
    max_trained_tokens: 50_000_000,
    epochs: { default: 1, max: 10 },
    inference: { input: 300, output: 1_200 },
  };
  return { ...catalog, ...{ fine_tuning: [base] } };
}

/** Trains one model after the other, as the official client does. */
export function trainModels(at: At): () => Promise<string> {
  const client = openAiClient(at as Parameters<typeof openAiClient>[0]);
  return async () => {
    const file = await toFile(Buffer.from(TRAINING), 'train.jsonl');
    const { id: uploaded } = await client.files.create({ file, purpose: 'fine-tune' });
    await client.files.waitForProcessing(uploaded);
    let job = await client.fineTuning.jobs.create({ model: testModel, training_file: uploaded });
    for (let left = POLLS_MAX; job.finished_at === null && left > 0; left--) {
      await sleep(500);
      job = await client.fineTuning.jobs.retrieve(job.id);
    }
    return job.status === 'succeeded' ? OK : `job ${job.status}`;
  };
}

const TRAINING = Array.from({ length: EXAMPLES }, (_, at) => {
  const content = at === 0 ? directedText({ train_ms: TRAIN_MS }) : `Question ${String(at)}`;
  const messages = [
    { role: 'user', content },
    { role: 'assistant', content: 'Yes.' },
  ];
  return `${JSON.stringify({ messages })}\n`;
}).join('');
