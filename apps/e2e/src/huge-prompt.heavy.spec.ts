import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { catalogOf, testModel } from './harness/catalog-file';
import { post } from './harness/clients';
import { sleep } from './harness/sleep';
import { openLedgerAudit } from './harness/ledger-audit';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;
const PROMPT_BYTES = 50_000_000;
const CALLERS = 20;
/** The most that a huge prompt adds to the p95 of other calls. Doubled idle latency is blamed on a busy machine. */
const ADDED_P95_LIMIT_MS = 400;
/** The most that one more round adds to the memory of the process: less than two of the eight prompts. */
const GROWTH_LIMIT_MB = 90;
const END = 'and this is the very end.';

describe('a prompt of 50 MB', () => {
  let simulator: Simulator;
  let svc: Svc;

  beforeAll(async () => {
    simulator = await startSimulator();
    svc = await startSvc({
      catalog: catalogOf({ name: 'only', url: simulator.url }),
      env: { SVC_LOG_LEVEL: 'warn' },
    });
    const audit = await openLedgerAudit(svc);
    await audit.raiseKeyLimits();
    await audit.close();
  });
  afterAll(async () => {
    await svc.stop();
    await simulator.stop();
  });

  it('reaches the upstream whole on both routes, plain and streamed, without slowing other callers', async () => {
    await latenciesWhile(svc, () => sleep(500));
    const idle = await latenciesWhile(svc, () => sleep(2500));
    const busy = await latenciesWhile(svc, sendOnAllRoutes);
    const residentOnce = await residentMb(svc);
    await sendOnAllRoutes();
    const residentTwice = await residentMb(svc);
    process.stdout.write(
      `huge prompt: p95 of ${String(CALLERS)} other callers idle ${percentile95(idle).toFixed(0)} ms, ` +
        `busy ${percentile95(busy).toFixed(0)} ms (${String(busy.length)} calls, longest ${Math.max(...busy).toFixed(0)} ms); ` +
        `resident after 4 prompts ${String(residentOnce)} MB, after 8 ${String(residentTwice)} MB\n`,
    );
    expect(percentile95(busy)).toBeLessThan(2 * percentile95(idle) + ADDED_P95_LIMIT_MS);
    expect(residentTwice - residentOnce).toBeLessThan(GROWTH_LIMIT_MB);
  });

  async function sendOnAllRoutes(): Promise<void> {
    for (const route of ROUTES)
      for (const stream of [false, true]) {
        const answer = await sendHugePrompt(svc, route, stream);
        expect({ route, stream, status: answer.status }).toEqual({ route, stream, status: 200 });
        expect(saidIn(answer.text)).toContain(END);
        const [newest] = (await simulator.journal()).filter(({ bytes }) => bytes > PROMPT_BYTES);
        expect(newest).toMatchObject({ path: route, stream, outcome: 'delivered', status: 200 });
        await simulator.clearJournal();
      }
  }

  it('arrives byte for byte', async () => {
    const received = await startHashingUpstream();
    const plain = await startSvc({ catalog: catalogOf({ name: 'only', url: received.url }) });
    for (const route of ROUTES) {
      const answer = await sendHugePrompt(plain, route, false);
      expect(received.promptHash()).toBe(answer.promptHash);
    }
    received.close();
    await plain.stop();
  });
});

interface HugeAnswer {
  readonly status: number;
  readonly text: string;
  readonly promptHash: string;
}

/** Sends from another thread, so that the measurement is of the service and not of this process. */
async function sendHugePrompt(svc: Svc, route: string, stream: boolean): Promise<HugeAnswer> {
  const worker = new Worker(SENDER, {
    eval: true,
    workerData: {
      url: svc.baseUrl + route,
      key: svc.apiKey,
      model: testModel,
      stream,
      size: PROMPT_BYTES,
      end: END,
    },
  });
  return ((await once(worker, 'message')) as [HugeAnswer])[0];
}

const SENDER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { createHash } = require('node:crypto');
  const { url, key, model, stream, size, end } = workerData;
  const line = 'All work and no play makes a gateway \\u00e9\\u{1F600} dull; ';
  const prompt = line.repeat(Math.ceil(size / Buffer.byteLength(line))) + end;
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer ' + key },
    body: JSON.stringify({ model, max_tokens: 300, stream, messages: [{ role: 'user', content: prompt }] }),
  }).then(async (response) => parentPort.postMessage({
    status: response.status,
    text: await response.text(),
    promptHash: createHash('sha256').update(prompt).digest('hex'),
  }));
`;

/** An upstream of both protocols that answers with a hash of what it received. */
async function startHashingUpstream() {
  let hash = '';
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: [{ content: string }] };
      hash = createHash('sha256').update(body.messages[0].content).digest('hex');
      const usage = {
        input_tokens: 1,
        prompt_tokens: 1,
        output_tokens: 1,
        completion_tokens: 1,
        total_tokens: 2,
      };
      const message = { role: 'assistant', content: 'Yes' };
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify(
          incoming.url?.endsWith('/messages') === true
            ? {
                id: 'msg_1',
                type: 'message',
                role: 'assistant',
                model: 'm',
                content: [],
                stop_reason: 'end_turn',
                usage,
              }
            : {
                id: 'c',
                object: 'chat.completion',
                model: 'm',
                choices: [{ index: 0, message, finish_reason: 'stop' }],
                usage,
              },
        ),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    promptHash: () => hash,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The latencies of small calls during some work. */
async function latenciesWhile(svc: Svc, work: () => Promise<void>): Promise<number[]> {
  const latencies: number[] = [];
  let running = true;
  const caller = async (order: number) => {
    await sleep(order * 10);
    while (running) {
      const from = performance.now();
      const response = await post(svc, ROUTES[order % 2] ?? ROUTES[0], {
        model: testModel,
        max_tokens: 10,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      await response.text();
      expect(response.status).toBe(200);
      latencies.push(performance.now() - from);
      await sleep(200);
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, order) => caller(order)));
  try {
    await work();
  } finally {
    running = false;
    await callers;
  }
  return latencies;
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length * 0.95)] ?? NaN;
}

async function residentMb(svc: Svc): Promise<number> {
  const status = await readFile(`/proc/${String(svc.pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) >> 10;
}

/** The text of an answer, plain or streamed. */
const saidIn = (text: string) =>
  Array.from(text.matchAll(/"(?:content|text)":\s*"([^"]*)"/g), ([, piece]) => piece ?? '').join('');
