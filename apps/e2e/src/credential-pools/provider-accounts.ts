import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call that reached the provider. */
export interface Arrival {
  /** The secret that it was sent with; empty for none. */
  readonly account: string;
  readonly model: string;
  /** The mark of the call, see {@link markedAs}. */
  readonly mark: string;
  /** The number of the edge that sent it. */
  readonly edge: number;
  readonly atMs: number;
  readonly status: number;
}

type Asked = Omit<Arrival, 'status'>;

export interface AccountAnswer {
  /** 200 is an answer of the model. */
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const OK: AccountAnswer = { status: 200 };

/** A provider of chat completions that answers each account as a spec says, and notes who called when. */
export interface ProviderAccounts {
  readonly url: string;
  /** In the order in which they came. */
  readonly arrivals: readonly Arrival[];
  /** Sets its answer from now on. @param answer null for a success */
  answer(account: string, answer: ((asked: Asked) => AccountAnswer) | null): void;
  /** The same for a model, whatever the account. */
  answerModel(model: string, answer: (asked: Asked) => AccountAnswer): void;
  close(): Promise<void>;
}

const MARK = /\[([^[\]]*)\] by edge (\d+)/;

/** A message by which the provider knows a call. */
export const markedAs = (mark: string, edge: number) => ({
  role: 'user',
  content: `[${mark}] by edge ${String(edge)}`,
});

export async function startProviderAccounts(): Promise<ProviderAccounts> {
  const arrivals: Arrival[] = [];
  const byAccount = new Map<string, (asked: Asked) => AccountAnswer>();
  const byModel = new Map<string, (asked: Asked) => AccountAnswer>();
  const server = createServer((incoming, response) => {
    const atMs = Date.now();
    void text(incoming).then((body) => {
      const account = (incoming.headers.authorization ?? '').replace('Bearer ', '');
      const { model } = JSON.parse(body) as { model: string };
      const [, mark = '', edge] = MARK.exec(body) ?? [];
      const asked = { account, model, mark, edge: Number(edge), atMs };
      const answer = (byModel.get(model) ?? byAccount.get(account))?.(asked) ?? OK;
      arrivals.push({ ...asked, status: answer.status });
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(answer.status === 200 ? completionOf(model) : REFUSAL));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    arrivals,
    answer: (account, answer) => {
      if (answer === null) byAccount.delete(account);
      else byAccount.set(account, answer);
    },
    answerModel: (model, answer) => {
      byModel.set(model, answer);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const MINUTE_MS = 60_000;

/** An account that may make so many calls of each model a minute. @param tells whether its answers have rate headers */
export function limitedTo(limit: number, tells: boolean): (asked: Asked) => AccountAnswer {
  const calls = new Map<string, number[]>();
  return ({ model, atMs }) => {
    const recent = (calls.get(model) ?? []).filter((at) => atMs - at < MINUTE_MS);
    calls.set(model, recent);
    const isWithin = recent.length < limit;
    if (isWithin) recent.push(atMs);
    const resetS = String(Math.ceil(((recent[0] ?? atMs) + MINUTE_MS - atMs) / 1_000));
    const told = {
      'x-ratelimit-limit-requests': String(limit),
      'x-ratelimit-remaining-requests': String(limit - recent.length),
      'x-ratelimit-reset-requests': `${resetS}s`,
    };
    const headers = { ...(tells && told), ...(!isWithin && { 'retry-after': resetS }) };
    return { status: isWithin ? 200 : 429, headers };
  };
}

const completionOf = (model: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
});

const REFUSAL = { error: { message: 'No.', type: 'refused', code: 'refused', param: null } };
