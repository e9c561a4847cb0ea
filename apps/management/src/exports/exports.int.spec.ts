import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { exportObjectKey, exportKeyContext } from '@svc/exports/store';
import { createSealer } from '@svc/runtime';
import { newObjectKey, openObjectStore, SealedObject, type ObjectStore } from '@svc/storage';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const BASE_URL = 'https://svc.example';
const MASTER_KEY = Buffer.alloc(32, 9);
const EXPORTS = '/api/v1/exports';
const RANGE = { start: '2026-11-01', end: '2026-11-02' };
const CONTENT = randomBytes(600 * 1024);

let test: TestDatabase;
let folder: string;
let store: ObjectStore;
let management: ManagementUnderTest;
let organization: Organization;
let owner: Client;
let nowMs = Date.parse('2026-11-24T12:00:00Z');
beforeAll(async () => {
  test = await openTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-downloads-'));
  store = await openObjectStore({ kind: 'folder', path: folder });
  const clock = { now: () => nowMs };
  const { database } = test;
  management = await startManagement({ database, store, masterKey: MASTER_KEY, baseUrl: BASE_URL, clock });
});
afterAll(async () => {
  await management.close();
  await test.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  organization = await management.newOrganization();
  owner = await management.withSession(organization, 'owner');
});

const idIn = (answer: { readonly body: unknown }) => (answer.body as { id: string }).id;
const create = async (body: object, by = owner) => idIn(await by.post(EXPORTS, { format: 'csv', ...body }));

/** As a worker would have written it. */
async function complete(id: string): Promise<void> {
  const objectKey = exportObjectKey({ organizationId: organization.id, id });
  const fileKey = newObjectKey();
  const upload = await store.begin(objectKey);
  const part = await store.put(upload, [], new SealedObject(fileKey, objectKey).seal(1, CONTENT));
  await store.complete(upload, [part]);
  const ended = new Date();
  await test.database.prisma.export.update({
    where: { id },
    data: {
      ...{ state: 'completed', stored: true, sha256: 'abc', bytes: BigInt(CONTENT.length), rowCount: 7n },
      ...{ completedAt: ended, endedAt: ended, expiresAt: new Date(Date.now() + 3_600_000) },
      keyCiphertext: Uint8Array.from(createSealer(MASTER_KEY).seal(fileKey, exportKeyContext(id))),
      parts: {
        create: { number: 1, etag: part.etag, storedBytes: part.bytes, bytes: CONTENT.length, rows: 7 },
      },
    },
  });
}

async function linkTo(id: string, by = owner): Promise<string> {
  const { status, body } = await by.post(`${EXPORTS}/${id}/download`);
  expect(status).toBe(200);
  return (body as { url: string }).url;
}
const load = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url.replace(BASE_URL, management.url), { method, headers });

describe('asking for an export', () => {
  it('is answered with a record that waits, and is audited', async () => {
    const filter = { status: 'failed,cancelled', model: ['acme/small'] };
    const { status, body } = await owner.post(EXPORTS, {
      ...{ kind: 'requests', format: 'jsonl', ...RANGE, filter, columns: ['id', 'usage'] },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ kind: 'requests', format: 'jsonl', compression: 'gzip', state: 'queued', filter },
      ...{ start: '2026-11-01T00:00:00.000Z', end: '2026-11-02T00:00:00.000Z', columns: ['id', 'usage'] },
      ...{ row_count: null, bytes: null, sha256: null, progress: { rows: 0 }, failure_code: null },
      ...{ started_at: null, completed_at: null, expires_at: null },
    });
    const entries = await test.database.prisma.auditEntry.findMany({ where: { targetId: idIn({ body }) } });
    expect(entries).toMatchObject([{ action: 'export.create' }]);
  });

  it.each<[object, string]>([
    [{ kind: 'requests' }, 'start'],
    [{ kind: 'requests', start: RANGE.start }, 'end'],
    [{ kind: 'requests', start: RANGE.end, end: RANGE.start }, 'start'],
    [{ kind: 'requests', start: '2025-10-01', end: '2026-11-01' }, 'start'],
    [{ kind: 'requests', start: RANGE.start, end: '2026-11-25' }, 'end'],
    [{ kind: 'webhook_deliveries', start: '2026-06-01', end: '2026-11-01' }, 'start'],
    [{ kind: 'usage', ...RANGE, filter: { status: 'failed' } }, 'filter.status'],
    [{ kind: 'requests', ...RANGE, filter: { status: 'failed,exploded' } }, 'filter.status'],
    [{ kind: 'webhook_deliveries', ...RANGE, filter: { status: ['dead', 'lost'] } }, 'filter.status'],
    [{ kind: 'wallet_transactions', filter: { kind: 'gift' } }, 'filter.kind'],
    [{ kind: 'audit_log', filter: { action: 'api_key' } }, 'filter.action'],
    [{ kind: 'requests', ...RANGE, columns: ['id', 'prompt'] }, 'columns[1]'],
    [{ kind: 'invoices' }, 'kind'],
    [{ kind: 'usage', ...RANGE, format: 'parquet' }, 'format'],
  ])('%j is 400 at %s', async (body, param) => {
    const answer = await owner.post(EXPORTS, { format: 'csv', ...body });
    expect(answer).toMatchObject({ status: 400, body: { error: { param } } });
  });

  it.each(['wallet_transactions', 'audit_log', 'requests', 'usage', 'webhook_deliveries'])(
    'of %s from a time that the database has no year for is 400',
    async (kind) => {
      const { end } = RANGE;
      for (const start of ['0000-01-01', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00']) {
        const answer = await owner.post(EXPORTS, { kind, format: 'csv', start, end });
        expect(answer).toMatchObject({ status: 400, body: { error: { param: 'start' } } });
      }
    },
  );

  it.each(['wallet_transactions', 'audit_log'])('of %s from the first year on is taken', async (kind) => {
    const answer = await owner.post(EXPORTS, { kind, format: 'csv', start: '0001-01-01', end: RANGE.end });
    expect(answer.status).toBe(201);
  });

  it('for calls of a month that is not kept any more is 400', async () => {
    await test.database.pool.query(`ALTER TABLE request_records DETACH PARTITION request_records_first`);
    await test.database.pool.query(`SELECT make_request_month('2026-11-15')`);
    const dropped = { kind: 'requests', format: 'csv', start: '2026-10-30', end: '2026-11-02' };
    expect(await owner.post(EXPORTS, dropped)).toMatchObject({
      status: 400,
      body: { error: { param: 'start' } },
    });
    expect((await owner.post(EXPORTS, { ...dropped, start: '2026-11-01' })).status).toBe(201);
  });

  it('twice with one key is one export; another body is 409', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const body = { kind: 'wallet_transactions', format: 'csv' };
    const [first, second] = await Promise.all([
      owner.call('POST', EXPORTS, body, headers),
      owner.call('POST', EXPORTS, body, headers),
    ]);
    expect(idIn(second)).toBe(idIn(first));
    const other = await owner.call('POST', EXPORTS, { ...body, format: 'jsonl' }, headers);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_reused' } } });
  });

  it('is 409 while ten wait', async () => {
    const body = { kind: 'wallet_transactions', format: 'csv' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => owner.post(EXPORTS, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
  });

  it('needs the permission of the kind too', async () => {
    const developer = await management.withSession(organization, 'developer');
    expect((await developer.post(EXPORTS, { kind: 'wallet_transactions', format: 'csv' })).status).toBe(403);
    expect((await developer.post(EXPORTS, { kind: 'requests', format: 'csv', ...RANGE })).status).toBe(201);
    const viewer = await management.withSession(organization, 'viewer');
    expect((await viewer.post(EXPORTS, { kind: 'requests', format: 'csv', ...RANGE })).status).toBe(403);
  });
});

describe('a project’s key', () => {
  it('exports calls and usage of its project, and sees no other export', async () => {
    const key = await management.withKey(
      organization,
      ['export:read', 'export:write', 'usage:read'],
      organization.projectId,
    );
    const whole = await create({ kind: 'requests', ...RANGE });
    const own = await create({ kind: 'requests', ...RANGE }, key);
    expect((await key.get(EXPORTS)).body).toMatchObject({
      data: [{ id: own, project_id: organization.projectId }],
    });
    expect((await key.get(`${EXPORTS}/${whole}`)).status).toBe(404);
    expect((await key.post(`${EXPORTS}/${whole}/cancel`)).status).toBe(404);
    const other = { project_id: 'proj_06dpm2q4x8k3c0v9r7t5w1hzny' };
    expect(
      (await key.post(EXPORTS, { kind: 'requests', format: 'csv', ...RANGE, filter: other })).status,
    ).toBe(403);
    const organizations = await management.withKey(organization, undefined, organization.projectId);
    expect((await organizations.post(EXPORTS, { kind: 'audit_log', format: 'csv' })).status).toBe(403);
  });

  it('gets an export of its own, whoever used its Idempotency-Key before', async () => {
    const headers = { 'Idempotency-Key': 'nightly' };
    const body = { kind: 'usage', format: 'csv', ...RANGE };
    const whole = await owner.call('POST', EXPORTS, body, headers);
    const key = await management.withKey(organization, undefined, organization.projectId);
    const own = await key.call('POST', EXPORTS, body, headers);
    expect(own).toMatchObject({ status: 201, body: { project_id: organization.projectId } });
    expect(idIn(own)).not.toBe(idIn(whole));
    expect(idIn(await key.call('POST', EXPORTS, body, headers))).toBe(idIn(own));
  });
});

describe('an export', () => {
  it('is cancelled once, and deleted whatever its state', async () => {
    const id = await create({ kind: 'audit_log' });
    expect((await owner.post(`${EXPORTS}/${id}/cancel`)).body).toMatchObject({ state: 'cancelled' });
    expect((await owner.post(`${EXPORTS}/${id}/cancel`)).status).toBe(409);
    const running = await create({ kind: 'audit_log' });
    expect((await owner.delete(`${EXPORTS}/${running}`)).status).toBe(204);
    expect((await owner.get(`${EXPORTS}/${running}`)).status).toBe(404);
    expect((await owner.delete(`${EXPORTS}/${running}`)).status).toBe(404);
    const { prisma } = test.database;
    expect(await prisma.export.findUnique({ where: { id: running } })).toMatchObject({ state: 'cancelled' });
    const actions = await prisma.auditEntry.findMany({
      where: { targetId: running },
      orderBy: { id: 'asc' },
    });
    expect(actions.map(({ action }) => action).sort()).toEqual([
      'export.cancel',
      'export.create',
      'export.delete',
    ]);
  });

  it('that is not completed has no link', async () => {
    const id = await create({ kind: 'audit_log' });
    expect((await owner.post(`${EXPORTS}/${id}/download`)).status).toBe(409);
  });
});

describe('a link', () => {
  let id: string;
  beforeEach(async () => {
    id = await create({ kind: 'wallet_transactions' });
    await complete(id);
  });

  it('loads the file down without a login, as nothing that a browser would show', async () => {
    const answer = await load(await linkTo(id));
    expect(answer.status).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(CONTENT)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(CONTENT.length),
      'content-disposition': `attachment; filename="wallet_transactions-${id}.csv.gz"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      etag: '"abc"',
    });
    const entries = await test.database.prisma.auditEntry.findMany({ where: { targetId: id } });
    expect(entries.map(({ action }) => action)).toContain('export.download');
  });

  it('takes HEAD and ranges', async () => {
    const url = await linkTo(id);
    const head = await load(url, {}, 'HEAD');
    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String(CONTENT.length));
    expect(await head.text()).toBe('');
    const part = await load(url, { range: 'bytes=262143-262146' });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 262143-262146/${String(CONTENT.length)}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(CONTENT.subarray(262_143, 262_147));
    const rest = await load(url, { range: 'bytes=-5', 'if-range': '"abc"' });
    expect(Buffer.from(await rest.arrayBuffer())).toEqual(CONTENT.subarray(-5));
    expect((await load(url, { range: 'bytes=-5', 'if-range': '"other"' })).status).toBe(200);
    const beyond = await load(url, { range: `bytes=${String(CONTENT.length)}-` });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${String(CONTENT.length)}`);
  });

  it('that is forged gives nothing', async () => {
    const url = await linkTo(id);
    const refused = async (change: (url: URL) => void) => {
      const forged = new URL(url);
      change(forged);
      const answer = await load(forged.href);
      expect(await answer.json()).toMatchObject({ error: { code: 'permission_denied' } });
      expect(answer.status).toBe(403);
    };
    await refused(({ searchParams }) => {
      searchParams.set('expires', String(Number(searchParams.get('expires')) + 1));
    });
    await refused(({ searchParams }) => {
      searchParams.set('signature', 'A'.repeat(43));
    });
    await refused(({ searchParams }) => {
      searchParams.delete('signature');
    });
    await refused(({ searchParams }) => {
      searchParams.append('signature', 'A');
    });
    const other = await create({ kind: 'audit_log' });
    await complete(other);
    await refused((forged) => {
      forged.pathname = `/downloads/exports/${other}`;
    });
  });

  it('that is ten minutes old gives nothing', async () => {
    const url = await linkTo(id);
    const madeAtMs = nowMs;
    try {
      nowMs += 10 * 60_000 - 1_000;
      expect((await load(url, {}, 'HEAD')).status).toBe(200);
      nowMs += 2_000;
      expect((await load(url)).status).toBe(403);
    } finally {
      nowMs = madeAtMs;
    }
  });

  it('stops at once when the export is deleted or expires, or the organization is suspended', async () => {
    const url = await linkTo(id);
    await test.database.pool.query(`UPDATE organizations SET state = 'suspended' WHERE id = $1`, [
      organization.id,
    ]);
    expect((await load(url)).status).toBe(404);
    await test.database.pool.query(`UPDATE organizations SET state = 'active' WHERE id = $1`, [
      organization.id,
    ]);
    expect((await load(url)).status).toBe(200);
    await test.database.pool.query('UPDATE exports SET expires_at = now() WHERE id = $1', [id]);
    expect((await load(url)).status).toBe(404);
    await test.database.pool.query(`UPDATE exports SET expires_at = now() + interval '1 h' WHERE id = $1`, [
      id,
    ]);
    await owner.delete(`${EXPORTS}/${id}`);
    expect((await load(url)).status).toBe(404);
    expect((await load(`${BASE_URL}/downloads/exports/nothing`)).status).toBe(404);
  });

  it('is made only for who may read such rows, at that moment', async () => {
    const developer = await management.withSession(organization, 'developer');
    expect((await developer.post(`${EXPORTS}/${id}/download`)).status).toBe(403);
    const finance = await management.withSession(organization, 'finance');
    await linkTo(id, finance);
    await test.database.prisma.member.update({
      where: { id: finance.memberId },
      data: { role: 'developer' },
    });
    expect((await finance.post(`${EXPORTS}/${id}/download`)).status).toBe(403);
    const stranger = await management.withSession(await management.newOrganization(), 'owner');
    expect((await stranger.post(`${EXPORTS}/${id}/download`)).status).toBe(404);
  });
});
