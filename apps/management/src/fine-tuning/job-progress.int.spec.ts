import { FineTuningJobStore } from '@svc/fine-tuning/store';
import { systemIds } from '@svc/runtime';
import { unusedId } from '@svc/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const JOBS = '/api/v1/fine-tuning/jobs';
const AT = '2026-11-25T12:00:00.000Z';

let management: ManagementUnderTest;
let organization: Organization;
let reader: Client;
let jobId: string;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());
beforeEach(async () => {
  organization = await management.newOrganization();
  reader = await management.withSession(organization, 'viewer');
  jobId = await newJob();
});

async function newJob(): Promise<string> {
  const id = systemIds('fineTuningJob');
  await management.database.prisma.fineTuningJob.create({
    data: {
      ...{
        id,
        organizationId: organization.id,
        creatorType: 'user',
        creatorId: 'usr_1',
        model: 'acme/small',
      },
      ...{ trainingFileId: systemIds('file'), seed: 1, provider: 'acme', upstreamModel: 'm', region: 'eu' },
      ...{ pricePerTokenFemtos: 1, epochs: 1, heldNanos: 1, modelName: `ft-ofaspecs/${id}` },
      hyperparameters: { epochs: 'auto', batchSize: 'auto', learningRateMultiplier: 'auto' },
    },
  });
  return id;
}

/** The job says these in turn: a text, or numbers of a step. */
async function say(...said: readonly (string | Readonly<Record<string, number>>)[]): Promise<void> {
  const before = await management.database.prisma.fineTuningJobEvent.count({ where: { jobId } });
  await management.database.prisma.fineTuningJobEvent.createMany({
    data: said.map((one, at) => ({
      ...{ jobId, number: before + at + 1, level: 'info', createdAt: AT },
      ...(typeof one === 'string'
        ? { type: 'message', message: one }
        : { type: 'metrics', message: 'A step', metrics: one }),
    })),
  });
}
const idOf = (prefix: string, number: number): string => `${prefix}_${jobId.slice(6)}_${String(number)}`;
const at = (path: string, cursor: unknown = '') =>
  reader.get(`${JOBS}/${jobId}/${path}?limit=2${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);

it('the events of a job are paged, newest first, to whoever may see the job', async () => {
  await say('one', { step: 1, train_loss: 0.5 }, 'three');
  const first = (await at('events')).body;
  expect(first).toMatchObject({ has_more: true });
  expect(first.data).toEqual([
    { id: idOf('ftevent', 3), level: 'info', message: 'three', metrics: null, created_at: AT },
    {
      ...{ id: idOf('ftevent', 2), level: 'info', message: 'A step', created_at: AT },
      metrics: { step: 1, train_loss: 0.5 },
    },
  ]);
  const rest = (await at('events', first.next_cursor)).body;
  expect(rest).toMatchObject({ has_more: false, next_cursor: null, data: [{ message: 'one' }] });
});

it('the checkpoints of a job are paged, newest first', async () => {
  await management.database.prisma.fineTuningCheckpoint.createMany({
    data: [10, 20, 30].map((stepNumber, place) => ({
      ...{ jobId, number: place + 1, upstreamCheckpoint: String(place), stepNumber, createdAt: AT },
      metrics: { step: stepNumber },
    })),
  });
  const first = (await at('checkpoints')).body;
  expect(first.data).toEqual([
    { id: idOf('ftckpt', 3), step: 30, metrics: { step: 30 }, created_at: AT },
    { id: idOf('ftckpt', 2), step: 20, metrics: { step: 20 }, created_at: AT },
  ]);
  expect((await at('checkpoints', first.next_cursor)).body.data).toMatchObject([{ step: 10 }]);
});

it('a page after what the job never said is refused, whatever the cursor has in it', async () => {
  await say('one');
  const wrong = ['nothing', idOf('ftckpt', 1), idOf('ftevent', 0), idOf('ftevent', 2 ** 40), '\0', jobId];
  for (const inside of wrong) {
    const answer = await at('events', Buffer.from(inside).toString('base64url'));
    expect([inside, answer.status, answer.body.error?.param]).toEqual([inside, 400, 'cursor']);
  }
});

describe('the losses of a job', () => {
  const losses = async () => (await reader.get(`${JOBS}/${jobId}/losses`)).body;

  it('are those of its steps in their order, whatever order they were told in', async () => {
    await say(
      'begins',
      { step: 2, train_loss: 0.4, valid_loss: 0.6, other: 1 },
      { step: 1, train_loss: 0.5 },
    );
    await say({ step: 3, valid_loss: 0.3 }, { train_loss: 9 }, { step: 1e300, train_loss: 9 }, 'ends');
    expect(await losses()).toEqual({
      ...{ has_more: false, next_cursor: null },
      data: [
        { step: 1, train_loss: 0.5, valid_loss: null },
        { step: 2, train_loss: 0.4, valid_loss: 0.6 },
        { step: 3, train_loss: null, valid_loss: 0.3 },
      ],
    });
  });

  it('are at most 200: of a longer job, the means of neighbours, with what only some of them say', async () => {
    const steps = Array.from({ length: 1_000 }, (_, place) => place + 1);
    await say(
      ...steps.map((step) => ({ step, train_loss: step, ...(step % 5 === 0 && { valid_loss: step }) })),
    );
    const { data } = await losses();
    expect(data).toHaveLength(200);
    expect(data[0]).toEqual({ step: 5, train_loss: 3, valid_loss: 5 });
    expect(data.at(-1)).toEqual({ step: 1_000, train_loss: 998, valid_loss: 1_000 });
  });

  it('are none before its first step', async () => {
    await say('begins');
    expect((await losses()).data).toEqual([]);
    expect(await new FineTuningJobStore(management.database).losses(unusedId(jobId), 10)).toEqual([]);
  });
});

it('what a job of another organization or project said is as unknown as the job', async () => {
  await say('one', { step: 1, train_loss: 1 });
  const others = [
    await management.withSession(await management.newOrganization(), 'owner'),
    await management.withKey(organization, ['fine_tuning:read'], organization.projectId),
  ];
  for (const other of others)
    for (const path of ['events', 'checkpoints', 'losses'])
      expect((await other.get(`${JOBS}/${jobId}/${path}`)).status).toBe(404);
});
