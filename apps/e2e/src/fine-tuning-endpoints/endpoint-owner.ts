import { eventually } from '@svc/testing';
import { toFile } from 'openai';
import { of } from '../distributed/tenant';
import { openAiClient } from '../harness/clients';
import { storageOfThisRun } from '../harness/config';
import { startSvc, type Svc } from '../harness/svc-process';
import { callApi, type ApiAnswer } from '../oauth/oauth-app';

const BASE = 'simulator/echo-mini';
export const HARDWARE = 'sim-small';
/** One dollar an hour, in nano-dollars. */
export const PRICE_PER_HOUR = 1_000_000_000;
const SLICE_SECONDS = 3;
export const OF_A_SLICE = Math.ceil((PRICE_PER_HOUR * SLICE_SECONDS) / 3_600);
export const WITHIN_MS = 90_000;

const TRAINING = Array.from(
  { length: 10 },
  (_, at) =>
    `${JSON.stringify({
      messages: [
        { role: 'user', content: `Question ${String(at)}` },
        { role: 'assistant', content: 'Yes.' },
      ],
    })}\n`,
).join('');

/** A service that pays endpoints in short slices. */
export const startSvcOfShortSlices = (): Promise<Svc> =>
  startSvc({
    env: {
      ...storageOfThisRun,
      SVC_FINE_TUNING_POLL_SECONDS: '1',
      SVC_ENDPOINT_SLICE_SECONDS: String(SLICE_SECONDS),
    },
  });

export interface Endpoint {
  readonly id: string;
  readonly model: string;
  readonly state: string;
  readonly stop_reason: string | null;
  readonly running_seconds: number;
  readonly charged_nanos: number;
  readonly price_per_hour_nanos: number;
  readonly stops_at: string | null;
}

/** Who trains models and runs endpoints for them, with one key. */
export class EndpointOwner {
  constructor(
    private readonly svc: Svc,
    private readonly apiKey: string,
  ) {}

  api(method: string, path: string, body?: object): Promise<ApiAnswer> {
    return callApi(this.svc.baseUrl, method, `/api/v1${path}`, this.apiKey, body);
  }

  /** An endpoint for a model that was trained a moment ago. */
  async newEndpoint(fields: object = {}): Promise<Endpoint> {
    const body = { model: await this.#train(), hardware: HARDWARE, ...fields };
    return of(201, await this.api('POST', '/fine-tuning/endpoints', body)) as Endpoint;
  }

  async read(id: string): Promise<Endpoint> {
    return of(200, await this.api('GET', `/fine-tuning/endpoints/${id}`)) as Endpoint;
  }

  order(id: string, what: 'start' | 'stop'): Promise<ApiAnswer> {
    return this.api('POST', `/fine-tuning/endpoints/${id}/${what}`);
  }

  until(id: string, state: string, withinMs = WITHIN_MS): Promise<Endpoint> {
    return eventually(async () => {
      const endpoint = await this.read(id);
      expect(endpoint.state).toBe(state);
      return endpoint;
    }, withinMs);
  }

  async call(model: string) {
    const answer = await fetch(`${this.svc.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { model?: string; error?: { code: string } },
    };
  }

  /** @returns the model's name. */
  async #train(): Promise<string> {
    const client = openAiClient(this.svc, this.apiKey);
    const file = await client.files.create({
      file: await toFile(Buffer.from(TRAINING), 'train.jsonl'),
      purpose: 'fine-tune',
    });
    const job = await client.fineTuning.jobs.create({ model: BASE, training_file: file.id });
    return eventually(async () => {
      const { fine_tuned_model: model } = await client.fineTuning.jobs.retrieve(job.id);
      expect(model).not.toBeNull();
      return model ?? '';
    }, WITHIN_MS);
  }
}

/** Paid by the second, slice by slice, each rounded up once: never less than the seconds cost, nor a nano a slice more. */
export function expectPriced({ running_seconds: seconds, charged_nanos: charged }: Endpoint): void {
  const slices = Math.ceil(seconds / SLICE_SECONDS) + 1;
  expect(charged).toBeLessThanOrEqual(Math.ceil((seconds * PRICE_PER_HOUR) / 3_600) + slices);
  // Seconds that no worker was there for are nobody's to pay: a busy machine has some.
  expect(charged).toBeGreaterThan(0);
}
