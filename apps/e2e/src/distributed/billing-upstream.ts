import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface ReportedUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A provider of chat completions that answers at once, and reports the usage that it is told to. */
export interface BillingUpstream {
  readonly url: string;
  /** How many calls have arrived. */
  received(): number;
  /** What every answer from now on says that its call used. */
  report(usage: ReportedUsage): void;
  close(): Promise<void>;
}

/** A text in a call, for which the provider refuses it with a message that quotes the whole call. */
export const QUOTE_ME = 'Quote me.';

export async function startBillingUpstream(): Promise<BillingUpstream> {
  let received = 0;
  let usage: ReportedUsage = { prompt_tokens: 10, completion_tokens: 5 };
  const server = createServer((incoming, answer) => {
    received++;
    void text(incoming).then((body) => {
      const isRefused = body.includes(QUOTE_ME);
      answer.statusCode = isRefused ? 400 : 200;
      answer
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(isRefused ? refusalOf(body) : answerOf(usage)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received: () => received,
    report: (told) => {
      usage = told;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const answerOf = (usage: ReportedUsage) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'billing',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Billed.' }, finish_reason: 'stop' }],
  usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
});

const refusalOf = (body: string) => ({
  error: {
    message: `This cannot be answered: ${body}`,
    type: 'invalid_request_error',
    code: 'refused',
    param: null,
  },
});
