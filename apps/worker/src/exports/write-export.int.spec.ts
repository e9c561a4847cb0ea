import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsOf, exportKinds } from '@svc/exports';
import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { AuditLog, UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { ExportUpkeep } from '@svc/exports/work';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { openObjectStore, StorageError, type ObjectStore } from '@svc/storage';
import { ExportMetrics, keepUpExports } from '../exports.tasks';
import {
  addCalls,
  askFor,
  fileOf,
  newOrganization,
  ORGANIZATION,
  textOf,
  writingOf,
} from './testing/export-world';
import { writeExport, type ExportWriting } from './write-export';

let test: TestDatabase;
let folder: string;
let store: ObjectStore;
let owner: string;
let writing: ExportWriting;
beforeEach(async () => {
  test = await emptyTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'svc-exports-'));
  owner = await newOrganization(test.database);
  store = await openObjectStore({ kind: 'folder', path: folder });
  writing = writingOf(test.database, store);
});
afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const find = (id: string) => test.database.prisma.export.findUniqueOrThrow({ where: { id } });
const writeAll = async (by = writing) => {
  while ((await writeExport(by)).more);
};
const upkeep = () => new ExportUpkeep(test.database);
const keepUp = () => {
  const logger = createLogger({ service: 'worker-spec', level: 'silent' });
  const metrics = new ExportMetrics(createMetrics('worker-spec'), upkeep(), logger);
  return keepUpExports({ upkeep: upkeep(), store: writing.store, metrics });
};
const storedFiles = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
/** Makes what was postponed due. */
const hurry = () => test.database.pool.query('UPDATE exports SET due_at = now()');
const failing = (failure: 'refused' | 'unavailable' | 'lost'): ObjectStore => ({
  begin: (key) => writing.store.begin(key),
  put: () => Promise.reject(new StorageError(failure, 'of a spec')),
  complete: (upload, parts) => writing.store.complete(upload, parts),
  abort: (upload) => writing.store.abort(upload),
  read: (key, range) => writing.store.read(key, range),
  sizeOf: (key) => writing.store.sizeOf(key),
  delete: (key) => writing.store.delete(key),
});

describe('a file', () => {
  it('has every row that passes the filter, and is what its record and event say', async () => {
    await addCalls(test.database, 12_345);
    await addCalls(test.database, 10, 'org_other');
    const id = await askFor(test.database, owner, {
      kind: 'requests',
      filter: { status: 'failed,cancelled' },
    });
    await writeAll();
    const record = await find(id);
    expect(record).toMatchObject({ state: 'completed', rowCount: 1_234n });
    const file = await fileOf(test.database, writing.store, id);
    expect(file).toHaveLength(Number(record.bytes));
    expect(createHash('sha256').update(file).digest('hex')).toBe(record.sha256);
    const lines = (await textOf(test.database, writing.store, id)).split('\r\n');
    expect(lines[0]).toBe(columnsOf.requests.join(','));
    expect(lines).toHaveLength(1 + 1_234 + 1);
    expect(lines[1]).toContain(",'=1+10,");
    const [event] = await test.database.prisma.outboxEvent.findMany();
    expect(JSON.parse(event!.payload)).toMatchObject({
      type: 'export.completed',
      data: { export_id: id, kind: 'requests', row_count: 1_234, format: 'csv', bytes: Number(record.bytes) },
    });
    expect(event!.payload).not.toMatch(/signature|https?:/);
  });

  it('is sealed in the store', async () => {
    await addCalls(test.database, 10);
    await askFor(test.database, owner, { kind: 'requests', format: 'jsonl', compression: 'none' });
    await writeAll();
    const [file] = await storedFiles();
    expect((await readFile(join(file!.parentPath, file!.name))).includes('acme')).toBe(false);
  });

  it.each(['requests', 'usage', 'wallet_transactions', 'audit_log', 'webhook_deliveries'] as const)(
    'of %s without rows has a header',
    async (kind) => {
      const id = await askFor(test.database, owner, { kind });
      await writeAll();
      expect(await textOf(test.database, writing.store, id)).toBe(`${columnsOf[kind].join(',')}\r\n`);
      const empty = await askFor(test.database, owner, { kind, format: 'jsonl', compression: 'none' });
      await writeAll();
      expect(await fileOf(test.database, writing.store, empty)).toHaveLength(0);
    },
  );

  it('of usage is read by its key, page by page', async () => {
    await test.database.pool.query(
      `INSERT INTO usage_days (organization_id, day, project_id, api_key_id, model, provider, tag, request_count, input_tokens,
         cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
       SELECT $1, (now() AT TIME ZONE 'UTC')::date, '', 'key_' || n % 7, 'acme/' || n, '', '', n, 1, 0, 0, 1, 0, 9007199254740993
       FROM generate_series(1, 25) n`,
      [ORGANIZATION],
    );
    const id = await askFor(test.database, owner, { kind: 'usage', format: 'jsonl' });
    await writeAll(writingOf(test.database, store, { pageRows: 4 }));
    const rows = (await textOf(test.database, writing.store, id)).trim().split('\n');
    expect(new Set(rows).size).toBe(25);
    expect(rows[0]).toMatch(
      /^\{"day":"20\d\d-\d\d-\d\d","project_id":null,.*"customer_nanos":9007199254740993,"provider_nanos":0\}$/,
    );
  });

  it('of the wallet and the audit log has the rows of the API', async () => {
    await new WalletStore(test.database).credit(ORGANIZATION, nanos(5_000n), 'Of a spec');
    await new Promise((resolve) => setTimeout(resolve, 5));
    const id = await askFor(test.database, owner, {
      kind: 'wallet_transactions',
      filter: { kind: 'credit_grant' },
    });
    await writeAll();
    expect((await textOf(test.database, writing.store, id)).split('\r\n')[1]).toMatch(
      /^txn_\w+,org_\w+,credit_grant,5000,,crg_\w+,,,,20.*Z$/,
    );
  });

  it('of the audit log has all that was done to a noun, as the list of the API', async () => {
    const log = new AuditLog(test.database);
    const actions = ['budget.create', 'budget.delete', 'policy.update', 'budgeting.create'] as const;
    await new UnitOfWork(test.database).transaction(async (tx) => {
      for (const action of actions) {
        const entry = { organizationId: ORGANIZATION, actor: { type: 'system', id: null }, action } as const;
        await log.append(tx, { ...entry, targetId: `of_${action}`, changes: {}, requestId: null });
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const id = await askFor(test.database, owner, {
      kind: 'audit_log',
      columns: ['action'],
      filter: { action: 'budget.*,policy.update' },
    });
    await writeAll();
    const lines = (await textOf(test.database, writing.store, id)).trim().split('\r\n');
    expect(lines).toEqual(['action', 'budget.create', 'budget.delete', 'policy.update']);
  });

  it('goes on where it was, whatever page the last part ended with', async () => {
    await addCalls(test.database, 1_000);
    const [one, other] = [
      await askFor(test.database, owner, { kind: 'requests' }),
      await askFor(test.database, owner, { kind: 'requests' }),
    ];
    await writeAll(writingOf(test.database, store, { pageRows: 100 }));
    const [first, second] = [await find(one), await find(other)];
    expect(first.sha256).toBe(second.sha256);
  });
});

describe('an export that may not go on', () => {
  const gone: readonly [string, () => Promise<unknown>][] = [
    [
      'whose creator is a viewer by now',
      () => test.database.pool.query(`UPDATE members SET role = 'viewer'`),
    ],
    ['whose creator left', () => test.database.pool.query(`UPDATE members SET state = 'removed'`)],
    [
      'of a suspended organization',
      () => test.database.pool.query(`UPDATE organizations SET state = 'suspended'`),
    ],
  ];
  it.each(gone)('%s is cancelled while it waits, without an event', async (_, leave) => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await leave();
    await keepUp();
    expect((await find(id)).state).toBe('cancelled');
    expect(await test.database.prisma.outboxEvent.count()).toBe(0);
    expect(await test.database.prisma.auditEntry.findMany()).toMatchObject([
      { action: 'export.cancel', actorType: 'system', targetId: id },
    ]);
  });

  it.each(gone)('%s stops at its next step, and its parts are deleted', async (_, leave) => {
    await addCalls(test.database, 10);
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await writeExport(writing);
    expect(await storedFiles()).toHaveLength(1);
    await leave();
    await writeAll();
    expect((await find(id)).state).toBe('cancelled');
    await keepUp();
    expect(await storedFiles()).toHaveLength(0);
    expect(await find(id)).toMatchObject({ stored: false, keyCiphertext: null });
  });

  it.each([
    ['was revoked', `state = 'revoked'`],
    ['has expired', `expires_at = now()`],
    ['may not read calls any more', `scopes = '{export:read,export:write}'`],
  ])('whose key %s is cancelled', async (_, change) => {
    const key = systemIds('apiKey');
    const scopes = ['export:read', 'export:write', 'usage:read'];
    await test.database.pool.query(
      `INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes) VALUES ($1, $2, 'Nightly', 'abcd', $3, $4)`,
      [key, ORGANIZATION, Buffer.alloc(32, 1), scopes],
    );
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await test.database.pool.query(
      `UPDATE exports SET creator_type = 'api_key', creator_id = $1, creator_user_id = NULL`,
      [key],
    );
    await writeExport(writing);
    expect((await find(id)).state).toBe('running');
    await test.database.pool.query(`UPDATE api_keys SET ${change}`);
    await writeAll();
    expect((await find(id)).state).toBe('cancelled');
  });

  it('because it has too many rows fails', async () => {
    await addCalls(test.database, 11);
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await writeAll(writingOf(test.database, store, { rowsMax: 10 }));
    expect(await find(id)).toMatchObject({ state: 'failed', failureCode: 'row_limit_exceeded' });
    const [event] = await test.database.prisma.outboxEvent.findMany();
    expect(JSON.parse(event!.payload)).toMatchObject({
      type: 'export.failed',
      data: { export_id: id, kind: 'requests', failure_code: 'row_limit_exceeded' },
    });
  });

  it('because six hours are over fails', async () => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await writeExport(writing);
    await test.database.pool.query(`UPDATE exports SET started_at = now() - interval '6 hours 1 second'`);
    await writeAll();
    expect(await find(id)).toMatchObject({ state: 'failed', failureCode: 'timed_out' });
  });

  it.each([
    ['refused', 1],
    ['unavailable', 5],
    ['lost', 5],
  ] as const)('because the store is %s fails after %i tries', async (failure, tries) => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    const by = { ...writing, store: failing(failure) };
    for (let at = 1; at < tries; at++) {
      await writeExport(by);
      expect((await find(id)).state).toBe('running');
      await hurry();
    }
    await writeExport(by);
    expect(await find(id)).toMatchObject({ state: 'failed', failureCode: 'storage_unavailable' });
  });

  it('because a worker was killed five times without a new part fails', async () => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    for (let at = 0; at < 5; at++) {
      expect(await writing.work.claim()).toMatchObject({ id });
      await test.database.pool.query(`UPDATE exports SET lease_until = now() - interval '1 ms'`);
    }
    expect(await writing.work.claim()).toBeNull();
    expect(await find(id)).toMatchObject({ state: 'failed', failureCode: 'internal' });
  });
});

describe('workers', () => {
  it('write one export of an organization at a time, the oldest first', async () => {
    const other = await newOrganization(test.database, 'org_other');
    const ids = [
      await askFor(test.database, owner, { kind: 'requests' }),
      await askFor(test.database, owner, { kind: 'audit_log' }),
      await askFor(test.database, other, { kind: 'requests' }, 'org_other'),
    ];
    expect((await writing.work.claim())?.id).toBe(ids[0]);
    expect((await writing.work.claim())?.id).toBe(ids[2]);
    expect(await writing.work.claim()).toBeNull();
  });

  it('whose lease was taken commit nothing', async () => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    const late = (await writing.work.claim())!;
    await test.database.pool.query(`UPDATE exports SET lease_until = now() - interval '1 ms'`);
    await writeAll();
    expect((await find(id)).state).toBe('completed');
    const part = { etag: '', storedBytes: 1, bytes: 1, rows: 1, cursor: null, isLast: true };
    await expect(writing.work.commitPart(late, part)).rejects.toThrow('another worker');
  });

  it('write a file again that is not as it was stored', async () => {
    await addCalls(test.database, 10);
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await writeExport(writing);
    const [file] = await storedFiles();
    const path = join(file!.parentPath, file!.name);
    const bytes = await readFile(path);
    bytes[100]! ^= 1;
    await writeFile(path, bytes);
    await writeExport(writing);
    expect(await find(id)).toMatchObject({ state: 'running', drained: false, rowCount: 0n });
    await hurry();
    await writeAll();
    expect(await find(id)).toMatchObject({ state: 'completed', rowCount: 10n });
  });

  it('that stop begin nothing', async () => {
    const id = await askFor(test.database, owner, { kind: 'requests' });
    await writeAll(writingOf(test.database, store, { stopping: AbortSignal.abort() }));
    expect((await find(id)).state).toBe('queued');
  });
});

it('a completed export expires, its file goes, its record stays 90 days', async () => {
  const id = await askFor(test.database, owner, { kind: 'requests' });
  await writeAll();
  await keepUp();
  expect((await find(id)).state).toBe('completed');
  await test.database.pool.query(`UPDATE exports SET expires_at = now() - interval '1 ms'`);
  await keepUp();
  expect((await find(id)).state).toBe('expired');
  expect(await storedFiles()).toHaveLength(0);
  await test.database.pool.query(
    `UPDATE exports SET expires_at = now() - interval '91 days', ended_at = now() - interval '98 days'`,
  );
  await keepUp();
  expect(await test.database.prisma.export.count()).toBe(0);
});

it('the metrics are there before the first export', async () => {
  const registry = createMetrics('worker-spec');
  new ExportMetrics(registry, upkeep(), createLogger({ service: 'worker-spec', level: 'silent' }));
  const text = await registry.metrics();
  for (const kind of exportKinds) {
    for (const outcome of ['completed', 'failed', 'cancelled']) {
      expect(text).toMatch(
        new RegExp(`^svc_exports_total\\{kind="${kind}",outcome="${outcome}"[^}]*\\} 0$`, 'm'),
      );
    }
  }
  expect(text).toMatch(/^svc_export_rows_total(\{[^}]*\})? 0$/m);
  expect(text).toMatch(/^svc_exports_running(\{[^}]*\})? 0$/m);
});
