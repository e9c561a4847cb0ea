import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';

/**
 * A provider that answers only when its gate is open. Calls stay in flight until then, so that the number of admitted
 * calls is exact on a machine of any speed.
 */
export interface GatedUpstream {
  readonly url: string;
  /** How many calls arrived since the gate was last shut. */
  received(): number;
  /** Answers all waiting calls, and later ones at once. */
  open(): void;
  shut(): void;
  close(): Promise<void>;
}

/** The usage that the upstream reports for every answer. */
export const GATED_USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

export async function startGatedUpstream(): Promise<GatedUpstream> {
  let received = 0;
  let gate = Promise.withResolvers<undefined>();
  const server = createServer((incoming, answer) => {
    received++;
    incoming.resume();
    void gate.promise.then(() => {
      answer.setHeader('content-type', 'application/json').end(ANSWER);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    received: () => received,
    open: () => {
      gate.resolve(undefined);
    },
    shut: () => {
      received = 0;
      gate = Promise.withResolvers<undefined>();
    },
    close: async () => {
      gate.resolve(undefined);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gated',
  choices: [{ index: 0, message: { role: 'assistant', content: 'At last.' }, finish_reason: 'stop' }],
  usage: GATED_USAGE,
});
