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
  /** Sets the usage that every answer reports from now on. */
  report(usage: ReportedUsage): void;
  /** Has every nth call with this credential exceed its rate from now on, for a second. */
  limitEvery(nth: number, secret: string): void;
  /** How many calls with this credential were answered. */
  answered(secret: string): number;
  close(): Promise<void>;
}

/** A text in a call, for which the provider refuses it with a message that quotes the whole call. */
export const QUOTE_ME = 'Quote me.';

export async function startBillingUpstream(): Promise<BillingUpstream> {
  let received = 0;
  let usage: ReportedUsage = { prompt_tokens: 10, completion_tokens: 5 };
  let limited: { readonly nth: number; readonly secret: string } | undefined;
  const answered = new Map<string, number>();
  let calls = 0;
  const server = createServer((incoming, answer) => {
    received++;
    const secret = (incoming.headers.authorization ?? '').replace('Bearer ', '');
    const isLimited = secret === limited?.secret && ++calls % limited.nth === 0;
    void text(incoming).then((body) => {
      const isRefused = body.includes(QUOTE_ME);
      answer.statusCode = isLimited ? 429 : isRefused ? 400 : 200;
      if (isLimited) answer.setHeader('retry-after', '1');
      if (answer.statusCode === 200) answered.set(secret, (answered.get(secret) ?? 0) + 1);
      answer
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify(isRefused || isLimited ? refusalOf(body) : answerOf(usage)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received: () => received,
    report: (told) => {
      usage = told;
    },
    limitEvery: (nth, secret) => {
      limited = { nth, secret };
    },
    answered: (secret) => answered.get(secret) ?? 0,
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
