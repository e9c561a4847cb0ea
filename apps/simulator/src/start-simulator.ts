import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Accounts } from './accounts/accounts';
import { chatCompletions } from './chat/chat-completions';
import { embeddings } from './embeddings/embeddings';
import { SimulatedFineTuning } from './fine-tuning/simulated-fine-tuning';
import { type CallFacts, Exchange, newCallFacts } from './exchange';
import { CallJournal, type Journal, type JournalEntry } from './journal';
import { countTokens, messages } from './messages/messages';
import { modelList } from './model-list';
import { Refusal } from './refusal';
import { responses } from './responses/responses';
import { SimulatedStripe } from './stripe/simulated-stripe';
import { type WebhookTarget } from './stripe/stripe-webhook';
import { type WireProtocol } from './wire-protocol';

interface SimulatorOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Called with every call that ended. */
  readonly log?: (entry: JournalEntry) => void;
  /** Calls with another API key, or none, get 401. */
  readonly requireKey?: string;
  /** Where the events of simulated payments go. Absent: nowhere. */
  readonly paymentWebhook?: WebhookTarget | undefined;
}

export interface Simulator {
  /** Without a path: `http://127.0.0.1:9101`. */
  readonly url: string;
  readonly port: number;
  readonly journal: Journal;
  /** Accepts no more calls, drains running ones for `graceMs`, then drops them. */
  close(graceMs?: number): Promise<void>;
}

const APIS: ReadonlyMap<string, WireProtocol> = new Map([
  ['POST /v1/chat/completions', chatCompletions],
  ['POST /v1/embeddings', embeddings],
  ['POST /v1/responses', responses],
  ['POST /v1/messages', messages],
  ['POST /v1/messages/count_tokens', countTokens],
]);
const JOURNAL_PATH = '/__simulator/journal';
/** Longer than a client keeps an idle connection, so that the client closes first. */
const KEEP_ALIVE_MS = 75_000;
const SWEEP_MS = 50;

/** Starts the simulated provider. @throws when the port is taken. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const journal = new CallJournal();
  const stripe = new SimulatedStripe(options.paymentWebhook ?? null);
  const tuning = new SimulatedFineTuning({ requireKey: options.requireKey });
  const accounts = new Accounts();
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: 0 },
    (incoming, response) => {
      const route = `${incoming.method ?? ''} ${pathOf(incoming)}`;
      if (stripe.serve(route, incoming, response) || tuning.serve(route, incoming, response)) return;
      serve(incoming, response, journal, { ...options, tuning, accounts });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${String(port)}`,
    port,
    journal,
    close: async (graceMs = 0) => {
      stripe.close();
      await close(server, graceMs);
    },
  };
}

interface Call {
  readonly path: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  journal: CallJournal,
  options: SimulatorOptions & Pick<Served, 'tuning' | 'accounts'>,
): void {
  const path = pathOf(incoming);
  const route = `${incoming.method ?? ''} ${path}`;
  switch (route) {
    case 'GET /healthz':
      sendJson(response, 200, { status: 'ok' });
      return;
    case `GET ${JOURNAL_PATH}`:
      sendJson(response, 200, { entries: journal.entries(), counters: journal.counters() });
      return;
    case `DELETE ${JOURNAL_PATH}`:
      journal.clear();
      response.writeHead(204, { 'x-svc-simulator': '1' }).end();
      return;
    default: {
      const facts = newCallFacts();
      recordWhenClosed({ path, incoming, response }, facts, journal, options.log);
      simulate(route, { path, incoming, response }, facts, options);
    }
  }
}

interface Served {
  readonly requireKey?: string;
  readonly tuning: SimulatedFineTuning;
  readonly accounts: Accounts;
}

function simulate(
  route: string,
  call: Call,
  facts: CallFacts,
  { requireKey, tuning, accounts }: Served,
): void {
  const { path, incoming, response } = call;
  const api = APIS.get(route);
  if (api !== undefined) {
    // Only failures after the head of the answer are thrown: it is too late for an error status.
    const refuseModel = (model: string) => tuning.refuseModel(model);
    new Exchange(api, incoming, response, facts, { accounts, refuseModel })
      .run(requireKey)
      .catch(() => response.destroy());
    return;
  }
  incoming.resume();
  if (route === 'GET /v1/models') {
    sendJson(response, 200, modelList);
    return;
  }
  const protocol = path.startsWith('/v1/messages') ? messages : chatCompletions;
  const refusal = new Refusal(404, `Unknown request URL: ${route}`, { code: 'unknown_url' });
  sendJson(response, 404, protocol.errorBody(refusal, 'req_sim_none'));
}

function recordWhenClosed(
  { path, incoming, response }: Call,
  facts: CallFacts,
  journal: CallJournal,
  log: SimulatorOptions['log'],
): void {
  const at = new Date().toISOString();
  const { authorization, 'x-api-key': apiKey } = incoming.headers;
  const over = journal.open();
  response.once('close', () => {
    const entry: JournalEntry = {
      at,
      path,
      ...facts,
      status: response.headersSent ? response.statusCode : null,
      outcome: response.writableFinished ? 'delivered' : 'interrupted',
      authorization: authorization === undefined && apiKey === undefined ? 'absent' : 'present',
    };
    over(entry);
    log?.(entry);
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', 'x-svc-simulator': '1' })
    .end(JSON.stringify(body));
}

async function close(server: Server, graceMs: number): Promise<void> {
  // An idle connection stays open for the next call until it is closed.
  const sweep = setInterval(() => {
    server.closeIdleConnections();
  }, SWEEP_MS);
  const drop = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve();
    });
  });
  clearInterval(sweep);
  clearTimeout(drop);
}
