import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type AnySvc } from './svc-process';

/** The additions of the service to an answer (docs/reference/inference-and-compatibility.md#additions-to-an-answer). */
export interface SvcAdditions {
  readonly provider: string;
  readonly attempts: readonly { region: string; status: unknown; duration_ms: number }[];
  readonly cost: { readonly customer_nanos: number; readonly state: 'final' | 'provisional' };
}

export interface ErrorBody {
  readonly type?: string;
  readonly request_id?: string;
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly param?: string;
    readonly request_id: string;
    readonly retriable: boolean;
  };
}

/** The official client, with only its address and key changed. */
export const openAiClient = (svc: AnySvc, apiKey = svc.apiKey) =>
  new OpenAI({ baseURL: `${svc.baseUrl}/v1`, apiKey });

/** The official client, with only its address and key changed; it adds `/v1` to its address itself. */
export const anthropicClient = (svc: AnySvc, apiKey = svc.apiKey) =>
  new Anthropic({ baseURL: svc.baseUrl, apiKey });

export const svcOf = (answer: unknown): SvcAdditions => {
  const { svc } = answer as { svc?: SvcAdditions };
  if (svc === undefined) throw new Error('The answer has no `svc` object.');
  return svc;
};

/** A plain POST, for bodies that no SDK sends. */
export function post(
  svc: Pick<AnySvc, 'baseUrl' | 'apiKey'>,
  path: string,
  body: NonNullable<RequestInit['body']> | object,
  init: { readonly headers?: Record<string, string>; readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream;
  return fetch(svc.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${svc.apiKey}`, ...init.headers },
    body: raw ? body : JSON.stringify(body),
    ...(body instanceof ReadableStream ? { duplex: 'half' as const } : {}),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}

/** How a call ended: `200`, or the status, code and parameter of its refusal. */
export async function outcomeOf(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status === 200) return '200';
  const { error } = JSON.parse(text) as Partial<ErrorBody>;
  return [response.status, error?.code, error?.param].filter(Boolean).join(' ');
}

/** A text with a directive for the simulator (its README has the table). */
export const directedText = (directive: Record<string, unknown>, text = ''): string =>
  `${text}\n@simulator ${JSON.stringify(directive)}`;

/** A user message with a directive for the simulator. */
export const directed = (directive: Record<string, unknown>, text = '') => ({
  role: 'user' as const,
  content: directedText(directive, text),
});
