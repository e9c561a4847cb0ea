import { gunzipSync } from 'node:zlib';
import { SealedObject, type ObjectStore } from '@svc/storage';
import { type Database } from '@svc/database';
import { type ExportLease, ExportPages, ExportStore } from '@svc/exports/store';
import { ExportWork } from '@svc/exports/work';
import { createSealer, systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { type ExportWriting } from '../write-export';

/** The master key of a spec. */
const MASTER_KEY = Buffer.alloc(32, 7);
export const ORGANIZATION = 'org_06dpm2q4x8k3c0v9r7t5w1hzny';

/** The order of an export. */
interface Asked {
  readonly kind: ExportLease['kind'];
  readonly format?: ExportLease['format'];
  readonly compression?: ExportLease['compression'];
  readonly filter?: Readonly<Record<string, string>>;
  readonly columns?: readonly string[];
}

export const writingOf = (
  database: Database,
  store: ObjectStore,
  changes: Partial<ExportWriting> & { readonly pageRows?: number; readonly leaseMs?: number } = {},
): ExportWriting => {
  const { pageRows, leaseMs, ...rest } = changes;
  return {
    work: new ExportWork(database, {
      sealer: createSealer(MASTER_KEY),
      ...(leaseMs === undefined ? {} : { leaseMs }),
    }),
    pages: new ExportPages(database, pageRows === undefined ? {} : { rows: pageRows }),
    store,
    logger: createLogger({ service: 'worker-spec', level: 'silent' }),
    rowsMax: 10_000_000,
    retentionDays: 7,
    workShare: 1,
    stopping: new AbortController().signal,
    onRows: () => undefined,
    ...rest,
  };
};

/** An organization with an owner, who asks for exports. @returns the owner's id. */
export async function newOrganization({ prisma }: Database, id = ORGANIZATION): Promise<string> {
  const userId = systemIds('user');
  await prisma.organization.create({ data: { id, name: 'Acme' } });
  await prisma.user.create({ data: { id: userId, email: `${userId}@example.com` } });
  await prisma.member.create({
    data: { id: systemIds('member'), organizationId: id, userId, role: 'owner' },
  });
  return userId;
}

export async function askFor(
  { prisma }: Database,
  userId: string,
  { kind, format = 'csv', compression = 'gzip', filter = {}, columns = [] }: Asked,
  organizationId = ORGANIZATION,
): Promise<string> {
  const id = systemIds('export');
  const range = { rangeStart: new Date(Date.now() - 86_400_000), rangeEnd: new Date() };
  await prisma.export.create({
    data: {
      ...{ id, organizationId, kind, format, compression, filter, columns: [...columns] },
      ...{ creatorType: 'user', creatorId: userId, creatorUserId: userId },
      ...(kind === 'requests' || kind === 'usage' || kind === 'webhook_deliveries' ? range : {}),
    },
  });
  return id;
}

/** Calls of the last day, with texts that do not compress well. */
export async function addCalls(
  { background }: Database,
  count: number,
  organizationId = ORGANIZATION,
): Promise<void> {
  await background.query(
    `INSERT INTO request_records (id, organization_id, api_key_id, edge_instance_id, route, model, stream, status, held_nanos,
       provider, http_status, customer_nanos, cost_state, labels, attempts, duration_ms, finished_at)
     SELECT left(request_id_at(now() - interval '1 hour'), 14) || left(md5($1), 4) || lpad(to_hex(n), 12, '0'), $1, 'key_1',
       'edge', 'chat_completions', 'acme/small', false, CASE n % 10 WHEN 0 THEN 'failed' ELSE 'succeeded' END, n, 'acme', 200, n,
       'final', jsonb_build_object('user', '=1+' || n, 'metadata', jsonb_build_object('noise',
         (SELECT string_agg(md5(n || 'x' || k), '') FROM generate_series(1, 10) AS k))),
       '[]', 5, now()
     FROM generate_series(1, $2::int) AS n`,
    [organizationId, count],
  );
}

/** The file of a completed export, as it is loaded down. */
export async function fileOf(database: Database, store: ObjectStore, id: string): Promise<Buffer> {
  const { organizationId } = await database.prisma.export.findUniqueOrThrow({ where: { id } });
  const file = await new ExportStore(database).findFile(organizationId, id, createSealer(MASTER_KEY));
  if (file === null) throw new Error('The export has no file');
  const sealed = new SealedObject(file.fileKey, file.objectKey);
  const chunks: Buffer[] = [];
  for await (const chunk of sealed.read(store, file.parts, { start: 0, end: file.bytes })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export const textOf = async (database: Database, store: ObjectStore, id: string): Promise<string> =>
  gunzipSync(await fileOf(database, store, id)).toString();
