import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Protocol } from '../feature-names';
import { type Body, type Refusal, type VendorCall, type VendorRules } from './vendor-rules';
import { vendors, type VendorName } from './vendors/vendors';

/** A provider behind the recorder. */
interface RecordedTarget {
  readonly protocol: Protocol;
  /** Whose rules stand before it. */
  readonly vendor: VendorName;
  /** Without a path. */
  readonly url: string;
}

/**
 * Stands in front of upstreams, refuses what the vendor of each refuses, in its words, and records the rest.
 * Data that no vendor may ever see is a refusal too: the gateway's own headers, its callers' keys, and a response that it would
 * keep.
 */
export interface StrictRecorder {
  /** The address of a target, without a path. */
  urlOf(target: string): string;
  /** The calls that were passed on, oldest first. */
  readonly received: VendorCall[];
  /** Why calls were refused, oldest first. */
  readonly refusals: string[];
  /** Answers the next call whose body has this text with 429 and `Retry-After: 1`. */
  limitOnce(text: string): void;
  close(): Promise<void>;
}

const NEVER_SENT = /^(svc-|x-svc-|compat-)|^(idempotency-key|openai-project|openai-organization)$/;

export async function startStrictRecorder(
  targets: Readonly<Record<string, RecordedTarget>>,
): Promise<StrictRecorder> {
  const received: VendorCall[] = [];
  const refusals: string[] = [];
  const limited = new Set<string>();

  async function serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)\/v1(\/.*)$/.exec(incoming.url ?? '') ?? [];
    const target = targets[name];
    if (target === undefined) return void answer.writeHead(404).end();
    const bytes = Buffer.concat(await incoming.toArray());
    const call: VendorCall = { path, headers: incoming.headers, body: JSON.parse(bytes.toString()) as Body };
    const vendor: VendorRules = vendors[target.vendor];
    const refused = leak(call) ?? vendor.refuse(call);
    if (refused !== null) {
      refusals.push(`${name}${path}: ${refused.message}`);
      return end(answer, refused.status, vendor.errorBody(refused));
    }
    const limit = [...limited].find((text) => bytes.includes(text));
    if (limit !== undefined) {
      limited.delete(limit);
      answer.setHeader('retry-after', '1');
      return end(answer, 429, rateLimited[target.protocol]);
    }
    received.push(call);
    const asked = vendor.asked?.(call.body) ?? call.body;
    const sent = asked === call.body ? bytes : Buffer.from(JSON.stringify(asked));
    pass(incoming, sent, answer, `${target.url}/v1${path}`);
  }

  const server = createServer((incoming, answer) => {
    serve(incoming, answer).catch((error: unknown) => {
      refusals.push(String(error));
      answer.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (target) => `http://127.0.0.1:${String(port)}/${target}`,
    received,
    refusals,
    limitOnce: (text) => void limited.add(text),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** The vendors' documented answers to too many calls. */
const rateLimitedByOpenAi = {
  error: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' },
};
const rateLimited: Record<Protocol, object> = {
  openai: rateLimitedByOpenAi,
  responses: rateLimitedByOpenAi,
  embeddings: rateLimitedByOpenAi,
  anthropic: { type: 'error', error: { type: 'rate_limit_error', message: 'Rate limit reached' } },
};

function leak({ path, headers, body }: VendorCall): Refusal | null {
  if (path === '/responses' && body.store !== false)
    return { status: 400, message: 'A provider would keep this response.' };

  for (const [name, value] of Object.entries(headers))
    if (NEVER_SENT.test(name) || String(value).includes('svc_sk_'))
      return { status: 400, message: `The header ${name} is not for a provider.` };
  return null;
}

function end(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Passes on bytes as they come, and the end of either side to the other. */
function pass(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, url: string): void {
  const { host: _host, 'content-length': _length, ...headers } = incoming.headers;
  const sent = { ...headers, 'content-length': body.length };
  const outgoing = request(url, { method: 'POST', headers: sent }, (upstream) => {
    answer.writeHead(upstream.statusCode ?? 502, upstream.headers);
    answer.flushHeaders();
    upstream.on('data', (chunk: Buffer) => answer.write(chunk));
    upstream.on('end', () => answer.end());
    upstream.on('error', () => answer.destroy());
  });
  outgoing.on('error', () => answer.destroy());
  answer.on('close', () => outgoing.destroy());
  outgoing.end(body);
}
