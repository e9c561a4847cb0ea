import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FILE_COUNT_MAX, FILES_BYTES_MAX } from '@svc/fine-tuning';
import { TrainingFileUpkeep } from '@svc/fine-tuning/work';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { openObjectStore, StorageError, type ObjectStore } from '@svc/storage';
import { eventually, unusedId, type Json } from '@svc/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const FILES = '/v1/files';
const MAX_BYTES = 12 * 1024 * 1024;
const SECRET = 'a prompt that nobody else may read';

const line = (content: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Yes.' },
    ],
  })}\n`;
const lines = (count: number, content = SECRET): string =>
  Array.from({ length: count }, (_, at) => line(`${content} ${String(at)}`)).join('');

let test: TestDatabase;
let folder: string;
let store: ObjectStore;
let failing = false;
let management: ManagementUnderTest;
let organization: Organization;
let owner: Client;
beforeAll(async () => {
  test = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-training-files-'));
  const opened = await openObjectStore({ kind: 'folder', path: folder });
  store = Object.assign(Object.create(opened) as ObjectStore, {
    put: (...args: Parameters<ObjectStore['put']>) =>
      failing ? Promise.reject(new StorageError('refused', 'no space')) : opened.put(...args),
  });
  management = await startManagement({ database: test.database, store, fileMaxBytes: MAX_BYTES });
});
afterAll(async () => {
  await management.close();
  await test.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  organization = await management.newOrganization();
  owner = await management.withKey(organization);
});

type Form = Readonly<Record<string, string | Blob>>;
const formOf = (fields: Form): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, 'train.jsonl');
  }
  return form;
};

async function upload(text: string | Blob, fields: Form = { purpose: 'fine-tune' }, by = owner) {
  const body = formOf({ file: typeof text === 'string' ? new Blob([text]) : text, ...fields });
  const answer = await fetch(management.url + FILES, { method: 'POST', headers: by.headers, body });
  return { status: answer.status, body: (await answer.json()) as Json };
}
const uploaded = async (text = lines(10), by = owner): Promise<string> => {
  const { status, body } = await upload(text, undefined, by);
  expect([status, body.error]).toEqual([200, undefined]);
  return body.id as string;
};
const contentOf = async (id: string, by = owner) =>
  fetch(`${management.url}${FILES}/${id}/content`, { headers: by.headers });
const rows = () => test.database.prisma.trainingFile.findMany({ where: { organizationId: organization.id } });
const storedFiles = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.includes(`${organization.id}/`));
/** As the worker does. */
async function keepUp(): Promise<void> {
  const upkeep = new TrainingFileUpkeep(test.database);
  await upkeep.expire();
  for (const { fileId, objectKey } of await upkeep.leftovers()) {
    await store.delete(objectKey);
    await upkeep.forget(fileId);
  }
}

it('a file is stored, shown in both forms, and read back as it was', async () => {
  const text = lines(12);
  const { status, body } = await upload(text);
  expect([status, body]).toEqual([
    200,
    {
      id: expect.stringMatching(/^file_/) as string,
      object: 'file',
      bytes: text.length,
      created_at: expect.any(Number) as number,
      expires_at: body.created_at + 30 * 86_400,
      filename: 'train.jsonl',
      purpose: 'fine-tune',
      status: 'processed',
    },
  ]);
  expect(Math.abs(body.created_at - Date.now() / 1_000)).toBeLessThan(60);
  expect((await owner.get(`${FILES}/${body.id as string}`)).body).toEqual(body);
  const content = await contentOf(body.id as string);
  expect([content.status, content.headers.get('content-type'), await content.text()]).toEqual([
    200,
    'application/jsonl',
    text,
  ]);
  const managed = await owner.get('/api/v1/fine-tuning/files');
  expect(managed.body.data).toEqual([
    expect.objectContaining({ id: body.id, line_count: 12, project_id: null, last_used_at: null }),
  ]);
  expect(managed.body.data[0].token_count).toBeGreaterThan(text.length / 10);
});

it('a file of several parts is read back as it was, and nothing of it is readable in the store', async () => {
  const text = lines(60_000);
  expect(text.length).toBeGreaterThan(5 * 1024 * 1024);
  const id = await uploaded(text);
  expect((await (await contentOf(id)).text()) === text).toBe(true);
  const [name = ''] = await storedFiles();
  expect((await readFile(join(folder, name))).includes(SECRET)).toBe(false);
});

it('a file with wrong lines is refused with the lines and fields, and nothing of it is kept', async () => {
  const wrong = line(SECRET).replace('"user"', `"${SECRET}"`);
  const { status, body } = await upload(lines(50_000) + wrong + lines(20) + `{"${SECRET}`);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({
    code: 'invalid_training_file',
    param: 'file',
    message: 'line 50001: messages[0].role must be one of system, developer, user, assistant, tool',
    details: [
      { line: 50_001, param: 'messages[0].role' },
      { line: 50_022, param: null },
    ],
  });
  expect(JSON.stringify(body)).not.toContain(SECRET);
  await keepUp();
  expect([await rows(), await storedFiles()]).toEqual([[], []]);
});

it('a file above the limit is refused with status 413, with and without an announced length', async () => {
  const large = lines(1, 'x'.repeat(1_000_000)).repeat(13);
  const announced = await upload(large);
  expect([announced.status, announced.body.error.param]).toEqual([413, 'file']);
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n';
  const streamed = await fetch(management.url + FILES, {
    method: 'POST',
    headers: { ...owner.headers, 'content-type': 'multipart/form-data; boundary=b' },
    body: new Blob([head, large, '\r\n--b--\r\n']).stream(),
    duplex: 'half',
  });
  expect(streamed.status).toBe(413);
  await keepUp();
  expect(await rows()).toEqual([]);
});

it.each<[string, Form, string | undefined]>([
  ['another purpose', { purpose: 'assistants' }, 'purpose'],
  ['no purpose', {}, 'purpose'],
  ['an unknown field', { purpose: 'fine-tune', colour: 'red' }, 'colour'],
  [
    'a time that is too short',
    { purpose: 'fine-tune', 'expires_after[seconds]': '60' },
    'expires_after[seconds]',
  ],
  ['a second file', { purpose: 'fine-tune', other: new Blob(['x']) }, 'file'],
])('an upload with %s is refused', async (_, fields, param) => {
  const { status, body } = await upload(lines(10), fields);
  expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
  await keepUp();
  expect(await rows()).toEqual([]);
});

it('a body that is no form, and a form without a file, are refused', async () => {
  expect((await owner.post(FILES, { purpose: 'fine-tune' })).status).toBe(400);
  const answer = await fetch(management.url + FILES, {
    method: 'POST',
    headers: owner.headers,
    body: formOf({ purpose: 'fine-tune' }),
  });
  expect([answer.status, ((await answer.json()) as { error: { param: string } }).error.param]).toEqual([
    400,
    'file',
  ]);
  const form = await fetch(`${management.url}/api/v1/projects`, {
    method: 'POST',
    headers: owner.headers,
    body: formOf({ name: 'Form' }),
  });
  expect(form.status).toBe(400);
});

it('is kept as long as it was asked for, then deleted with what is stored of it', async () => {
  const fields = {
    purpose: 'fine-tune',
    'expires_after[anchor]': 'created_at',
    'expires_after[seconds]': '3600',
  };
  const { body } = await upload(lines(10), fields);
  expect(body.expires_at - body.created_at).toBe(3_600);
  await keepUp();
  expect((await owner.get(`${FILES}/${body.id as string}`)).status).toBe(200);
  await test.database.prisma.trainingFile.update({
    where: { id: body.id as string },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  await keepUp();
  expect((await owner.get(`${FILES}/${body.id as string}`)).status).toBe(404);
  expect([await rows(), await storedFiles()]).toEqual([[], []]);
});

it('deleting is seen at once, and both ends are in the audit log', async () => {
  const id = await uploaded();
  const answer = await owner.delete(`${FILES}/${id}`);
  expect([answer.status, answer.body]).toEqual([200, { id, object: 'file', deleted: true }]);
  expect((await owner.delete(`${FILES}/${id}`)).status).toBe(404);
  expect((await contentOf(id)).status).toBe(404);
  expect((await owner.get(FILES)).body.data).toEqual([]);
  const entries = await owner.get('/api/v1/audit-log');
  const target = expect.objectContaining({ type: 'file', id }) as object;
  expect(entries.body.data).toEqual([
    expect.objectContaining({ action: 'file.delete', target }),
    expect.objectContaining({ action: 'file.create', target }),
  ]);
});

it('files are listed page by page, in both orders', async () => {
  const ids: string[] = [];
  for (let at = 0; at < 3; at++) ids.unshift(await uploaded());
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);
  const first = await owner.get(`${FILES}?limit=2`);
  expect([idsOf(first.body), first.body.has_more]).toEqual([ids.slice(0, 2), true]);
  expect(first.body).toMatchObject({ object: 'list', first_id: ids[0], last_id: ids[1] });
  const second = await owner.get(`${FILES}?limit=2&after=${ids[1]!}&purpose=fine-tune`);
  expect([idsOf(second.body), second.body.has_more]).toEqual([ids.slice(2), false]);
  expect(idsOf((await owner.get(`${FILES}?order=asc`)).body)).toEqual(ids.toReversed());
  expect((await owner.get(`${FILES}?purpose=batch`)).body).toMatchObject({ data: [], first_id: null });
  expect((await owner.get(`${FILES}?after=cursor`)).body.error.param).toBe('after');
  expect((await owner.get(`${FILES}?limit=0`)).body.error.param).toBe('limit');
});

it('another organization’s file is not there, nor one of a provider, nor one of another project', async () => {
  const id = await uploaded();
  const other = await management.withKey(await management.newOrganization());
  for (const unknown of [id, unusedId(id), 'file-abc123', 'key_1']) {
    for (const by of unknown === id ? [other] : [owner, other]) {
      expect((await by.get(`${FILES}/${unknown}`)).status).toBe(404);
      expect((await by.delete(`${FILES}/${unknown}`)).status).toBe(404);
      expect((await contentOf(unknown, by)).status).toBe(404);
    }
  }
  const ofProject = await management.withKey(organization, undefined, organization.projectId);
  expect((await ofProject.get(`${FILES}/${id}`)).status).toBe(404);
  const own = await uploaded(lines(10), ofProject);
  expect((await ofProject.get(FILES)).body.data).toHaveLength(1);
  expect((await ofProject.get('/api/v1/fine-tuning/files')).body.data[0]).toMatchObject({
    id: own,
    project_id: organization.projectId,
  });
  expect((await owner.get(FILES)).body.data).toHaveLength(2);
});

it('keys need the permission; cookies and access tokens open nothing', async () => {
  const reader = await management.withKey(organization, ['fine_tuning:read']);
  const id = await uploaded();
  expect((await reader.get(`${FILES}/${id}`)).status).toBe(200);
  expect((await upload(lines(10), undefined, reader)).status).toBe(403);
  expect((await contentOf(id, reader)).status).toBe(403);
  expect((await reader.delete(`${FILES}/${id}`)).status).toBe(403);
  expect((await (await management.withSession(organization, 'owner')).get(FILES)).status).toBe(401);
  const app = await management.withAccessToken(organization, 'owner', []);
  expect((await app.get(FILES)).body.error.code).toBe('insufficient_scope');
  expect((await upload(lines(10), undefined, management.client({}))).status).toBe(401);
});

/** As if these were there. */
async function plant(count: number, bytes: bigint, uploadUntil: Date | null = null): Promise<void> {
  const data = Array.from({ length: count }, () => ({
    ...{ id: systemIds('file'), organizationId: organization.id, filename: 'f', bytes, partBytes: 1 },
    ...{ keyCiphertext: Buffer.of(1), creatorType: 'api_key', creatorId: 'key', uploadUntil },
    ...(uploadUntil === null ? { state: 'processed', expiresAt: new Date(Date.now() + 3_600_000) } : {}),
  }));
  await test.database.prisma.trainingFile.createMany({ data });
}
const unplant = () => test.database.prisma.trainingFile.deleteMany({ where: { creatorId: 'key' } });

it.each([
  ['files', () => plant(FILE_COUNT_MAX, 1n)],
  ['bytes', () => plant(1, BigInt(FILES_BYTES_MAX - 10))],
  ['uploads at a time', () => plant(4, 0n, new Date(Date.now() + 60_000))],
])('an organization that has too many %s gets no more', async (_, make) => {
  await make();
  const { status, body } = await upload(lines(10));
  await unplant();
  expect([status, body.error.code]).toEqual([409, 'conflict']);
});

it('of uploads at the same time, no more than fit are taken', async () => {
  await plant(FILE_COUNT_MAX - 1, 1n);
  const answers = await Promise.all([1, 2, 3].map(() => upload(lines(10))));
  await unplant();
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

it('an upload that is cut off leaves nothing behind', async () => {
  const { hostname, port } = new URL(management.url);
  const socket = connect(Number(port), hostname);
  const head = Object.entries({ ...owner.headers, host: hostname, 'content-length': '1000000' });
  socket.write(
    `POST ${FILES} HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}` +
      'content-type: multipart/form-data; boundary=b\r\n\r\n' +
      `--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n${lines(100)}`,
  );
  await eventually(async () => {
    expect(await rows()).toHaveLength(1);
  });
  socket.destroy();
  await eventually(async () => {
    await keepUp();
    expect([await rows(), await storedFiles()]).toEqual([[], []]);
  });
});

it('what a killed process left of an upload is deleted when its time is over', async () => {
  const id = systemIds('file');
  const objectKey = `training-files/${organization.id}/${id}`;
  await plant(1, 0n, new Date(Date.now() + 60_000));
  await test.database.prisma.trainingFile.updateMany({ where: { creatorId: 'key' }, data: { id } });
  await store.begin(objectKey);
  await keepUp();
  expect(await storedFiles()).toHaveLength(1);
  await test.database.prisma.trainingFile.update({ where: { id }, data: { uploadUntil: new Date(0) } });
  await keepUp();
  expect([await rows(), await storedFiles()]).toEqual([[], []]);
});

it('a store that fails is answered with 503, and the next try succeeds', async () => {
  failing = true;
  const refused = await upload(lines(10));
  failing = false;
  expect([refused.status, refused.body.error.code]).toEqual([503, 'overloaded']);
  await uploaded();
});
