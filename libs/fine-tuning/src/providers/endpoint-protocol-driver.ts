import { z } from 'zod';
import {
  type EndpointDriver,
  type NewProviderEndpoint,
  type ProviderEndpoint,
} from '../rules/provider/endpoint-driver';
import { ProviderUnreachable } from '../rules/provider/provider-failure';
import { parsed } from './present-job';
import { ANSWER_WITHIN_MS, failureOf } from './provider-answer';
import { providerHeaders, providerQuery, type ProviderAccess } from './provider-headers';

const time = z.iso.datetime().nullish();
const endpoint = z.object({
  id: z.string().min(1).max(200),
  name: z.string().min(1).max(500),
  display_name: z.string().nullish(),
  state: z.enum(['PENDING', 'STARTING', 'STARTED', 'STOPPING', 'STOPPED', 'ERROR']),
  started_at: time,
  stopped_at: time,
  inactive_timeout: z.number().nullish(),
});
const endpoints = z.object({ data: z.array(endpoint) });
const errorBody = z.object({
  error: z.object({ code: z.string().nullish(), param: z.string().nullish() }),
});

const STATES = {
  PENDING: 'pending',
  STARTING: 'pending',
  STARTED: 'started',
  STOPPING: 'stopping',
  STOPPED: 'stopped',
  ERROR: 'error',
} as const;
/** Of an answer. A list of some thousand endpoints has less. */
const ANSWER_BYTES_MAX = 8 << 20;

/** The dedicated endpoints of the simulator's protocol, which follows Together's (https://docs.together.ai/reference/createendpoint). */
export class EndpointProtocolDriver implements EndpointDriver {
  constructor(
    private readonly access: ProviderAccess,
    /** Of each question, to the end of its answer. */
    private readonly answerMs = ANSWER_WITHIN_MS,
  ) {}

  async create({
    name,
    model,
    hardware,
    idleTimeoutMinutes,
  }: NewProviderEndpoint): Promise<ProviderEndpoint> {
    const created = await this.ask('POST', '', {
      display_name: name,
      model,
      hardware,
      state: 'STARTED',
      inactive_timeout: idleTimeoutMinutes,
      autoscaling: { min_replicas: 1, max_replicas: 1 },
    });
    return present(parsed(endpoint, created));
  }

  async find(name: string): Promise<ProviderEndpoint | null> {
    const { data } = parsed(endpoints, await this.ask('GET', '', undefined, { type: 'dedicated' }));
    const found = data.find((one) => one.display_name === name);
    return found === undefined ? null : present(found);
  }

  state(id: string): Promise<ProviderEndpoint | null> {
    return this.askOne('GET', id);
  }

  changeIdleTimeout(id: string, minutes: number): Promise<ProviderEndpoint | null> {
    return this.askOne('PATCH', id, { inactive_timeout: minutes });
  }

  stop(id: string): Promise<ProviderEndpoint | null> {
    return this.askOne('PATCH', id, { state: 'STOPPED' });
  }

  async remove(id: string): Promise<void> {
    await this.ask('DELETE', `/${encodeURIComponent(id)}`);
  }

  private async askOne(method: string, id: string, body?: object): Promise<ProviderEndpoint | null> {
    const answer = await this.ask(method, `/${encodeURIComponent(id)}`, body);
    return answer === null ? null : present(parsed(endpoint, answer));
  }

  /** @returns the answer; null for none, and for a 404. */
  private async ask(
    method: string,
    path: string,
    body?: object,
    query: Record<string, string> = {},
  ): Promise<unknown> {
    const url = new URL(`${this.access.provider.baseUrl}/endpoints${path}`);
    const parameters = { ...providerQuery(this.access), ...query };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    const { status, json } = await this.exchange(url, {
      method,
      headers: { ...providerHeaders(this.access), 'content-type': 'application/json' },
      // A credential goes nowhere but to the address of the catalog.
      redirect: 'error',
      signal: AbortSignal.timeout(this.answerMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 200 && status < 300) return json;
    if (status === 404 && method !== 'POST') return null;
    const read = errorBody.safeParse(json);
    const { code = null, param = null } = read.success ? read.data.error : {};
    throw failureOf({ status, code, param });
  }

  /** @throws ProviderUnreachable. */
  private async exchange(url: URL, request: RequestInit): Promise<{ status: number; json: unknown }> {
    try {
      const answer = await fetch(url, request);
      const text = await boundedText(answer);
      return { status: answer.status, json: text === '' ? null : jsonOf(text) };
    } catch (error) {
      throw new ProviderUnreachable('The provider did not answer.', { cause: error });
    }
  }
}

const present = (read: z.output<typeof endpoint>): ProviderEndpoint => ({
  id: read.id,
  state: STATES[read.state],
  servingSince: dateOf(read.started_at),
  servedUntil: dateOf(read.stopped_at),
  idleTimeoutMinutes: read.inactive_timeout ?? null,
  inferenceModel: read.name,
});

const dateOf = (iso: string | null | undefined): Date | null => (iso ? new Date(iso) : null);

/** Undefined for what is no JSON: no schema takes it. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function boundedText(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('The answer is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
