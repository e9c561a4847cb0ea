import { eventually } from '@svc/testing';
import {
  catalogOf,
  embeddingModel,
  testModel,
  withEmbeddings,
  type CatalogDocument,
} from './harness/catalog-file';
import { directed, directedText, post, svcOf } from './harness/clients';
import { sleep } from './harness/sleep';
import { openLedgerAudit } from './harness/ledger-audit';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { endedWell, framesOf } from './harness/stream-frames';
import { startSvc, type Svc } from './harness/svc-process';
import { removeFolder, temporaryFolder } from './harness/temporary-folder';

const STREAMED = ['/v1/chat/completions', '/v1/messages', '/v1/responses'] as const;
const PATHS = [...STREAMED, ...STREAMED, '/v1/embeddings'] as const;
type Path = (typeof PATHS)[number];
const LANES = 40;
const LOAD_TIMEOUT_MS = 60_000;
/** The lease of the dead instance, and the worker's next run after it. */
const RECOVERY_TIMEOUT_MS = 100_000;

const LEFT_OPEN = ['pending', 'reconciliation_required'];

/** An answer that a client received in full: its cost must be charged. */
interface CompleteAnswer {
  readonly id: string;
  readonly cost: number;
}

describe('a service', () => {
  let simulator: Simulator;
  let catalog: CatalogDocument;
  let dataDir: string;

  beforeAll(async () => {
    simulator = await startSimulator();
    catalog = withEmbeddings(catalogOf({ name: 'only', url: simulator.url }));
  });
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => removeFolder(dataDir));
  afterAll(() => simulator.stop());

  it('killed under load loses no charge and doubles none, and the worker resolves the open holds', async () => {
    const first = await startSvc({ dataDir, catalog });
    const before = await openLedgerAudit(first);
    await before.raiseKeyLimits();
    await before.close();
    const answers: CompleteAnswer[] = [];
    const load = Array.from({ length: LANES }, (_, lane) => callUntilKilled(first, lane, answers));
    await eventually(() => {
      expect(answers.length).toBeGreaterThan(10 * LANES);
    }, LOAD_TIMEOUT_MS);
    await first.kill();
    await Promise.all(load);

    const second = await startSvc({ dataDir, catalog });
    expect(second.ready).toMatchObject({
      organization_id: first.organizationId,
      project_id: first.projectId,
      owner_email: first.ready.owner_email,
      api_key: null,
      owner_password: null,
      platform_token: null,
    });
    const withOldKey = { ...second, apiKey: first.apiKey };
    expect((await post(withOldKey, '/v1/chat/completions', call('after', false))).status).toBe(200);

    const audit = await openLedgerAudit(second);
    // The worker may have resolved some of them before this query.
    const open = (await audit.calls()).filter(({ status }) => LEFT_OPEN.includes(status));
    expect(open.length).toBeGreaterThan(0);
    await eventually(async () => {
      expect((await audit.calls()).filter(({ status }) => status === 'pending')).toEqual([]);
    }, RECOVERY_TIMEOUT_MS);

    const records = new Map((await audit.calls()).map((record) => [record.id, record]));
    const charges = await audit.charges();
    for (const { id, cost } of answers) {
      expect(records.get(id)).toMatchObject({ status: 'succeeded', customerNanos: BigInt(cost) });
      expect(charges.get(id)).toEqual([BigInt(cost)]);
    }
    for (const { id } of open) {
      expect(records.get(id)).toMatchObject({ status: 'reconciliation_required', customerNanos: 0n });
      expect(charges.has(id)).toBe(false);
    }
    for (const [id, amounts] of charges)
      expect([id, amounts]).toEqual([id, [records.get(id)?.customerNanos]]);
    const books = await audit.books();
    expect(books).toMatchObject({ heldNanos: 0n, allEntriesNanos: 0n });
    expect(books.walletEntriesNanos).toBe(books.balanceNanos);
    expect(books.balanceNanos).toBe(books.creditedNanos - books.chargedNanos);
    await audit.close();
    expect(await second.stop()).toBe(0);
  }, 180_000);

  it('told to stop lets running calls finish, settles them and exits with 0', async () => {
    const first = await startSvc({ dataDir, catalog });
    const slow = { reply_words: 25, chunk_delay_ms: 100 };
    const streams = await Promise.all(
      STREAMED.map((path) => post(first, path, call('stream', true, slow, path))),
    );
    const plain = post(first, '/v1/chat/completions', call('plain', false, { delay_ms: 1500 }));
    await sleep(300);
    const stopped = first.stop();
    const texts = await Promise.all(streams.map((response) => response.text()));
    for (const text of texts) {
      expect(endedWell(text)).toBe(true);
      expect(finalOf(framesOf(text))).toHaveProperty('svc');
    }
    expect((await plain).status).toBe(200);
    expect(await stopped).toBe(0);
    await expect(post(first, '/v1/chat/completions', call('late', false))).rejects.toThrow();

    const second = await startSvc({ dataDir, catalog });
    const audit = await openLedgerAudit(second);
    const records = await audit.calls();
    expect(records.map(({ status }) => status)).toEqual(Array<string>(STREAMED.length + 1).fill('succeeded'));
    expect((await audit.books()).heldNanos).toBe(0n);
    await audit.close();
    await second.stop();
  });
});

const call = (
  text: string,
  stream: boolean,
  directive: Record<string, unknown> = {},
  path: Path = '/v1/chat/completions',
) => ({
  model: testModel,
  ...(path === '/v1/responses'
    ? { max_output_tokens: 60, input: [directed(directive, text)] }
    : { max_tokens: 60, messages: [directed(directive, text)] }),
  stream,
});

const embeddingsCall = (text: string, directive: Record<string, unknown>) => ({
  model: embeddingModel,
  input: directedText(directive, text),
});

/** The carrier of the additions: the last frame with them, or the response that it holds. */
const finalOf = (frames: readonly Record<string, unknown>[]): unknown =>
  frames.at(-1)?.['response'] ?? frames.findLast((frame) => 'svc' in frame);

/** One client that calls again and again, plain and streamed, until the service is gone. */
async function callUntilKilled(svc: Svc, lane: number, answers: CompleteAnswer[]): Promise<void> {
  const path = PATHS[lane % PATHS.length]!;
  const stream = path !== '/v1/embeddings' && lane % 2 === 0;
  for (let count = 0; ; count++) {
    const directive = stream ? { reply_words: 12, chunk_delay_ms: 20 } : { delay_ms: 20 * (count % 10) };
    try {
      const text = `${String(lane)}-${String(count)}`;
      const body =
        path === '/v1/embeddings' ? embeddingsCall(text, directive) : call(text, stream, directive, path);
      const response = await post(svc, path, body);
      const answer = await response.text();
      if (response.status !== 200 || (stream && !endedWell(answer))) continue;
      const frames = stream ? framesOf(answer) : [JSON.parse(answer) as Record<string, unknown>];
      const { cost } = svcOf(finalOf(frames));
      answers.push({ id: response.headers.get('x-request-id') ?? '', cost: cost.customer_nanos });
    } catch {
      return;
    }
  }
}
