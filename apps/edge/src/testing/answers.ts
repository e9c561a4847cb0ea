import { type ScriptedAnswer } from '@svc/testing';

/** An answer of a provider of chat completions. */
export const completion = (usage?: object, content = 'Hello') => ({
  id: 'chatcmpl-1',
  model: 'small-1',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage,
});

/** An answer of a provider of messages. */
export const message = (usage: object, content = 'Hello') => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'small-1',
  content: [{ type: 'text', text: content }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});

export const answersJson =
  (body: unknown, status = 200): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A completion that used so many tokens. */
export const completes = (promptTokens = 1, completionTokens = 1): ScriptedAnswer =>
  answersJson(completion({ prompt_tokens: promptTokens, completion_tokens: completionTokens }));

export async function errorOf(response: Response) {
  const { error } = (await response.json()) as { error: { code: string; param?: string; message: string } };
  return { status: response.status, code: error.code, param: error.param };
}
