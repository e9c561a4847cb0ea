import { type Refusal } from './refusal';

/** The error body of all of OpenAI's routes. */
export function openaiErrorBody({ status, message, param, code }: Refusal): object {
  const [type, usualCode] = errorKind(status);
  return { error: { message, type, param, code: code ?? usualCode } };
}

function errorKind(status: number): [type: string, code: string | null] {
  if (status === 401) return ['invalid_request_error', 'invalid_api_key'];
  if (status === 402) return ['insufficient_quota', 'insufficient_quota'];
  if (status === 429) return ['requests', 'rate_limit_exceeded'];
  return [status >= 500 || status < 400 ? 'server_error' : 'invalid_request_error', null];
}
