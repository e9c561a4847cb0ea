import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { buildProjects, eventually } from '@svc/testing';
import { type FineTuningProvider, type NewProviderJob } from '../rules/provider/fine-tuning-provider';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { openFineTuningProvider } from './open-fine-tuning-provider';
import { SimulatorProcess } from './testing/simulator-process';
import { SlowReceiver } from './testing/slow-receiver';

const AT_ONCE = { validate_ms: 0, queue_ms: 0, train_ms: 0 };
/** Of questions that get no answer. */
const BOUND_MS = 1_500;
const BOUNDS = { answerMs: BOUND_MS, uploadIdleMs: BOUND_MS, uploadMs: 20_000 };

const LINE = `${JSON.stringify({
  messages: [
    { role: 'user', content: 'Where is my order?' },
    { role: 'assistant', content: 'Let me look.' },
  ],
})}\n`;
const FILE = Buffer.from(LINE.repeat(10));

const uploadOf = (name: string, pieces: readonly Uint8Array[] = [FILE]) => ({
  name,
  bytes: pieces.reduce((sum, { length }) => sum + length, 0),
  content: async function* () {
    for (const piece of pieces) {
      await Promise.resolve();
      yield piece;
    }
  },
});

let simulator: SimulatorProcess;
let provider: FineTuningProvider;
/** Waits for no answer longer than it must. */
let impatient: FineTuningProvider;
let asked = 0;
const uniqueName = () => `file_${String(++asked)}.jsonl`;

beforeAll(async () => {
  simulator = await SimulatorProcess.start(buildProjects);
  const access = { provider: simulator.provider, secret: 'secret' };
  provider = await openFineTuningProvider(access);
  impatient = await openFineTuningProvider(access, BOUNDS);
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.direct(AT_ONCE));

const newJob = async (fields: Partial<NewProviderJob> = {}): Promise<NewProviderJob> => ({
  jobId: `ftjob_${String(++asked)}`,
  model: 'sim-small',
  trainingFile: await provider.uploadFile(uploadOf(uniqueName())),
  validationFile: null,
  suffix: 'shop',
  seed: 7,
  hyperparameters: { epochs: 2, batchSize: 'auto', learningRateMultiplier: 'auto' },
  ...fields,
});

describe('files', () => {
  it('arrive whole, in pieces, and are found by their names', async () => {
    const name = uniqueName();
    const pieces = Array.from({ length: 50 }, (_, at) => Buffer.from(LINE.repeat(at + 1)));
    const id = await provider.uploadFile(uploadOf(name, pieces));
    const { files } = await simulator.record();
    expect(files.find((file) => file.id === id)).toMatchObject({
      filename: name,
      sha256: createHash('sha256').update(Buffer.concat(pieces)).digest('hex'),
    });
    expect(await provider.findFile(name)).toBe(id);
    expect(await provider.findFile('never-sent.jsonl')).toBeNull();
  });

  it('are read while they are sent: a large one is never whole in memory', async () => {
    const receiver = await SlowReceiver.start();
    const slow = await openFineTuningProvider({ provider: receiver.provider, secret: 'secret' });
    const piece = Buffer.alloc(100_000, 'x');
    const count = 600;
    let read = 0;
    const content = async function* () {
      for (; read < count; read++) {
        await Promise.resolve();
        yield piece;
      }
    };
    const sent = slow.uploadFile({ name: uniqueName(), bytes: piece.length * count, content });
    await eventually(() => expect(receiver.uploads).toHaveLength(1));
    // Nothing more is read once the connection is full.
    let before;
    do {
      before = read;
      await pause(200);
    } while (read > before);
    expect(read).toBeLessThan(count / 2);
    receiver.readAll();
    expect(await sent).toBe('file-1');
    expect(read).toBe(count);
    await receiver.close();
  });

  it('stay deleted', async () => {
    const id = await provider.uploadFile(uploadOf(uniqueName()));
    await provider.deleteFile(id);
    await provider.deleteFile(id);
    expect((await simulator.record()).files.some((file) => file.id === id)).toBe(false);
  });

  it('that the provider refuses are refused', async () => {
    await simulator.direct({ ...AT_ONCE, file: 'refused' });
    await expect(provider.uploadFile(uploadOf(uniqueName()))).rejects.toMatchObject({
      name: 'ProviderRefusal',
      subject: 'file',
      providerCode: 'invalid_file_format',
    });
  });

  it('whose source fails are not sent, and their source’s failure is no refusal', async () => {
    const content = async function* () {
      yield FILE;
      await Promise.resolve();
      throw new Error('the object is gone');
    };
    const name = uniqueName();
    await expect(provider.uploadFile({ name, bytes: 10, content })).rejects.toThrow(ProviderUnreachable);
    expect(await provider.findFile(name)).toBeNull();
  });

  it('whose source is silent are given up', async () => {
    const content = async function* () {
      yield FILE;
      await new Promise(() => undefined);
    };
    await expect(impatient.uploadFile({ name: uniqueName(), bytes: 10, content })).rejects.toThrow(
      ProviderUnreachable,
    );
  });
});

describe('jobs', () => {
  it('train, and report tokens, model, events and checkpoints once each, oldest first', async () => {
    await simulator.direct({ ...AT_ONCE, repeats: true });
    const asked = await newJob();
    const { id } = await provider.createJob(asked);
    const job = await provider.readJob(id);
    expect(job).toMatchObject({ status: 'succeeded', epochs: 2, failure: null });
    expect(job?.trainedTokens).toBe(160n);
    expect(job?.fineTunedModel).toMatch(/^ft:sim-small:svc-simulator:shop:/);
    const events = await provider.listEvents(id, null);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    expect(events[0]?.message).toContain('Created');
    expect(events.find(({ type }) => type === 'metrics')?.metrics).toMatchObject({ step: 1, total_steps: 6 });
    const later = await provider.listEvents(id, events[3]!.id);
    expect(later).toEqual(events.slice(4));
    const checkpoints = await provider.listCheckpoints(id);
    expect(checkpoints.map(({ stepNumber }) => stepNumber)).toEqual([3, 6]);
  });

  it('are found by our id, among as many as there are, and by nothing else', async () => {
    const wanted = await newJob();
    const { id } = await provider.createJob(wanted);
    for (let other = 0; other < 3; other++) await provider.createJob(await newJob());
    expect((await provider.findJob(wanted.jobId))?.id).toBe(id);
    expect(await provider.findJob('ftjob_unknown')).toBeNull();
  });

  it('whose answer was lost are found, so that none is made twice', async () => {
    const wanted = await newJob();
    await simulator.direct({ ...AT_ONCE, fault: 'lost_answer', fault_count: 1 });
    await expect(provider.createJob(wanted)).rejects.toThrow(ProviderUnreachable);
    expect(await provider.findJob(wanted.jobId)).not.toBeNull();
  });

  it('that fail say why, and whether a file is to blame', async () => {
    await simulator.direct({ ...AT_ONCE, job: 'fails' });
    const failed = await provider.createJob(await newJob());
    expect(await provider.readJob(failed.id)).toMatchObject({
      status: 'failed',
      trainedTokens: null,
      failure: { code: 'server_error', isFile: false },
    });
    await simulator.direct({ ...AT_ONCE, file: 'rejected' });
    const rejected = await provider.createJob(await newJob());
    expect(await provider.readJob(rejected.id)).toMatchObject({
      failure: { code: 'invalid_training_file', isFile: true },
    });
  });

  it('that the provider refuses are refused', async () => {
    await simulator.direct({ ...AT_ONCE, job: 'refused' });
    await expect(provider.createJob(await newJob())).rejects.toMatchObject({
      name: 'ProviderRefusal',
      providerCode: 'model_not_available',
      subject: 'other',
    });
    await expect(provider.createJob(await newJob({ trainingFile: 'file-gone' }))).rejects.toMatchObject({
      subject: 'file',
    });
  });

  it('are cancelled, and one that has ended is answered as it is', async () => {
    await simulator.direct({ ...AT_ONCE, job: 'hangs', tokens_of_cancelled: true });
    const { id } = await provider.createJob(await newJob());
    expect(await provider.cancelJob(id)).toMatchObject({ status: 'cancelled', trainedTokens: 80n });
    expect(await provider.cancelJob(id)).toMatchObject({ status: 'cancelled' });
    await simulator.direct(AT_ONCE);
    const ended = await provider.createJob(await newJob());
    expect(await provider.cancelJob(ended.id)).toMatchObject({ status: 'succeeded' });
  });

  it('that the provider has forgotten are null', async () => {
    await simulator.direct({ ...AT_ONCE, forget_after_ms: 0 });
    const { id } = await provider.createJob(await newJob());
    expect(await provider.readJob(id)).toBeNull();
    expect(await provider.cancelJob(id)).toBeNull();
    expect(await provider.listEvents(id, null)).toEqual([]);
    expect(await provider.listCheckpoints(id)).toEqual([]);
  });

  it('make models that stay deleted', async () => {
    const { id } = await provider.createJob(await newJob());
    const { fineTunedModel } = (await provider.readJob(id))!;
    await provider.deleteModel(fineTunedModel!);
    await provider.deleteModel(fineTunedModel!);
  });
});

describe('a provider out of reach', () => {
  it.each(['reset', 'silence', 'error', 'malformed'])(
    'that meets every question with %s is not taken at its word, and never waited for',
    async (fault) => {
      const job = await newJob();
      await simulator.direct({ ...AT_ONCE, fault });
      const questions = await Promise.allSettled([
        impatient.uploadFile(uploadOf(uniqueName())),
        impatient.findFile('x'),
        impatient.createJob(job),
        impatient.findJob('x'),
        impatient.readJob('ftjob-1'),
        impatient.cancelJob('ftjob-1'),
        impatient.listEvents('ftjob-1', null),
        impatient.listCheckpoints('ftjob-1'),
      ]);
      // All have ended, though silence never does.
      for (const question of questions) {
        expect(question).toMatchObject({ status: 'rejected', reason: { name: 'ProviderUnreachable' } });
      }
    },
  );

  it('is asked once, not again and again', async () => {
    await simulator.direct({ ...AT_ONCE, fault: 'error' });
    const route = 'GET /v1/fine_tuning/jobs/{id}';
    const before = (await simulator.record()).calls[route] ?? 0;
    await expect(provider.readJob('ftjob-1')).rejects.toThrow(ProviderUnreachable);
    expect((await simulator.record()).calls[route]).toBe(before + 1);
  });

  it('that is not there is unreachable', async () => {
    const nowhere = await openFineTuningProvider(
      { provider: { ...simulator.provider, baseUrl: 'http://127.0.0.1:1/v1' }, secret: null },
      BOUNDS,
    );
    await expect(nowhere.readJob('ftjob-1')).rejects.toThrow(ProviderUnreachable);
  });
});

describe('what is sent', () => {
  let server: Server;
  let url: string;
  const seen: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];
  let answer: { status: number; headers?: Record<string, string>; body?: object } = { status: 404 };

  beforeAll(async () => {
    server = createServer(({ url: path, headers }, response) => {
      seen.push({ url: path, headers });
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(JSON.stringify(answer.body ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterAll(() => server.close());
  beforeEach(() => {
    seen.length = 0;
    answer = { status: 404 };
  });

  const open = (connection?: object, secret: string | null = 'sk-1') =>
    openFineTuningProvider(
      {
        provider: {
          name: 'acme',
          protocol: 'openai',
          baseUrl: `${url}/v1`,
          credentialEnv: null,
          ...(connection === undefined
            ? {}
            : {
                connection: {
                  credentialHeader: null,
                  credentialScheme: null,
                  headers: [],
                  query: '',
                  secrets: [],
                  ...connection,
                },
              }),
        },
        secret,
      },
      BOUNDS,
    );

  it('is the credential and what the catalog has beside it, as with calls', async () => {
    await (await open()).readJob('ftjob-1');
    expect(seen[0]?.headers['authorization']).toBe('Bearer sk-1');
    await (await open(undefined, null)).readJob('ftjob-1');
    expect(seen[1]?.headers).not.toHaveProperty('authorization');
    const other = { credentialHeader: 'api-key', headers: [['x-team', 'shop']], query: 'api-version=1' };
    await (await open(other)).readJob('ftjob-1');
    expect(seen[2]).toMatchObject({
      url: '/v1/fine_tuning/jobs/ftjob-1?api-version=1',
      headers: { 'api-key': 'sk-1', 'x-team': 'shop' },
    });
    expect(seen[2]?.headers).not.toHaveProperty('authorization');
  });

  it('goes nowhere else: a redirect is not followed', async () => {
    answer = { status: 302, headers: { location: `${url}/elsewhere` } };
    await expect((await open()).readJob('ftjob-1')).rejects.toThrow(ProviderUnreachable);
    expect(seen.map((one) => one.url)).toEqual(['/v1/fine_tuning/jobs/ftjob-1']);
  });

  it.each([
    [401, ProviderUnreachable],
    [408, ProviderUnreachable],
    [429, ProviderUnreachable],
    [500, ProviderUnreachable],
    [403, ProviderRefusal],
    [422, ProviderRefusal],
  ])(
    'answered with %i is told by the kind of failure, without the provider’s words',
    async (status, kind) => {
      answer = { status, body: { error: { message: 'your prompt was SECRET', code: 'x', param: null } } };
      const failure = await (await open()).readJob('ftjob-1').catch((error: unknown) => error as Error);
      expect(failure).toBeInstanceOf(kind);
      expect(String(failure)).not.toContain('SECRET');
    },
  );
});

it('goes through pages of files', async () => {
  const names = [uniqueName(), uniqueName()];
  for (const name of names) await provider.uploadFile(uploadOf(name));
  await eventually(async () => {
    for (const name of names) expect(await provider.findFile(name)).not.toBeNull();
  });
});
