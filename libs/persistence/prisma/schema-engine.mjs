#!/usr/bin/env node
// A stand-in for Prisma's native `schema-engine` binary, for machines that cannot download it.
// It speaks the same newline-delimited JSON-RPC on stdio, and hands every call to the official
// WebAssembly build of the same engine (@prisma/schema-engine-wasm) over @prisma/adapter-pg.
// Use: PRISMA_SCHEMA_ENGINE_BINARY=./tools/schema-engine.mjs prisma migrate deploy
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';

const { values: opt, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
  },
});
const log = (level, fields) =>
  process.stderr.write(
    JSON.stringify({ timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' }) +
      '\n',
  );

globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (m) => {
    log('ERROR', { message: m, is_panic: true });
    if (process.env.SCHEMA_ENGINE_TRACE) process.stderr.write(m + '\n');
  },
};
const require = createRequire(import.meta.url);
const bg = await import('@prisma/schema-engine-wasm/schema_engine_bg');
const wasm = readFileSync(
  require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm'),
);
const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': bg });
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

if (opt.version) {
  console.log(`schema-engine-cli ${bg.version()}`);
  process.exit(0);
}

const datasource = opt.datasource ? JSON.parse(opt.datasource) : {};
const poolConfig = (url) => {
  const u = new URL(url);
  const ssl = u.searchParams.get('sslmode');
  return {
    host: u.searchParams.get('host') ?? decodeURIComponent(u.hostname),
    port: Number(u.port || 5432),
    user: decodeURIComponent(u.username),
    password: u.password ? decodeURIComponent(u.password) : undefined,
    database: decodeURIComponent(u.pathname.slice(1)),
    ssl:
      ssl && ssl !== 'disable' && ssl !== 'prefer'
        ? { rejectUnauthorized: ssl.startsWith('verify') }
        : undefined,
  };
};

if (positionals[0] === 'cli') {
  const config = poolConfig(datasource.url);
  const db = config.database;
  log('INFO', { message: 'Calling schema engine wasm' });
  try {
    const client = new pg.Client(
      positionals[1] === 'can-connect-to-database' ? config : { ...config, database: 'postgres' },
    );
    await client.connect();
    if (positionals[1] === 'create-database')
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(db)}`);
    if (positionals[1] === 'drop-database')
      await client.query(`DROP DATABASE ${pg.escapeIdentifier(db)} WITH (FORCE)`);
    await client.end();
    log('INFO', { message: 'Success' });
    process.exit(0);
  } catch (e) {
    const code =
      e.code === '3D000'
        ? 'P1003'
        : e.code === '28P01' || e.code === '28000'
          ? 'P1000'
          : e.code === '42P04'
            ? 'P1009'
            : 'P1001';
    log('ERROR', {
      message:
        code === 'P1003'
          ? `Database \`${db}\` does not exist`
          : e.message || `Can't reach database server at \`${config.host}:${config.port}\``,
      error_code: code,
      is_panic: false,
    });
    process.exit(1);
  }
}

/** adapter-pg with what the schema engine needs besides: catalogue types, whole scripts, a shadow database. */
class MigrationPg extends PrismaPg {
  constructor(config, schema, shadow) {
    super(config, { schema });
    this.cfg = config;
    this.shadow = shadow;
    this.schema = schema;
  }
  async connect() {
    return patch(await super.connect());
  }
  async connectToShadowDb() {
    if (this.shadow) return patch(await new PrismaPg(this.shadow, { schema: this.schema }).connect());
    const database = `prisma_migrate_shadow_db_${globalThis.crypto.randomUUID()}`;
    const admin = new pg.Client(this.cfg);
    await admin.connect();
    await admin.query(`CREATE DATABASE "${database}"`);
    const shadow = patch(await new PrismaPg({ ...this.cfg, database }, { schema: this.schema }).connect());
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await admin.query(`DROP DATABASE IF EXISTS "${database}" WITH (FORCE)`);
      await admin.end();
    };
    return shadow;
  }
}
function patch(adapter) {
  const io = adapter.performIO.bind(adapter);
  adapter.performIO = async (q) => {
    const r = await io(q);
    const char = [];
    for (const [i, f] of (r.fields ?? []).entries()) {
      if (f.dataTypeID === 18) {
        char.push(i);
        f.dataTypeID = 25;
      } // "char"
      if (f.dataTypeID === 19) f.dataTypeID = 25; // name
    }
    return Object.assign(r, { char });
  };
  adapter.queryRaw = async (q) => {
    let char = [];
    const view = Object.create(adapter, {
      performIO: {
        value: async (x) => {
          const r = await adapter.performIO(x);
          char = r.char;
          return r;
        },
      },
    });
    const out = await Object.getPrototypeOf(adapter).queryRaw.call(view, q);
    for (const i of char) out.columnTypes[i] = ColumnTypeEnum.Character;
    return out;
  };
  adapter.executeScript = async (script) => {
    // the stock one splits on every ';' and uses any pooled connection
    const c = await adapter.client.connect();
    try {
      await c.query(script);
    } catch (e) {
      adapter.onError(e);
    } finally {
      c.release();
    }
  };
  return adapter;
}

const datamodels = (opt.datamodels ?? []).map((p) => [p, readFileSync(p, 'utf8')]);
const url = datasource.url ?? 'postgresql://postgres@127.0.0.1:1/none'; // offline commands (diff --from-empty) never connect
const schema = new URL(url).searchParams.get('schema') ?? undefined;
const factory = bindMigrationAwareSqlAdapterFactory(
  new MigrationPg(
    poolConfig(url),
    schema,
    datasource.shadowDatabaseUrl && poolConfig(datasource.shadowDatabaseUrl),
  ),
);
let engine;
const getEngine = () =>
  (engine ??= bg.SchemaEngine.new(
    { datamodels: datamodels.length ? datamodels : undefined },
    () => {},
    factory,
  ));
const NAMES = { getDatabaseVersion: 'version' };
const send = (o) => process.stdout.write(JSON.stringify(o) + '\n');

log('INFO', { message: 'Starting schema engine RPC server (wasm)', git_hash: bg.version() });
const busy = new Set();
const rl = createInterface({ input: process.stdin, crlfDelay: Infinity });
rl.on('line', (line) => {
  const req = JSON.parse(line);
  if (!req.method) return;
  const p = (async () => {
    try {
      const e = await getEngine();
      const result = (await e[NAMES[req.method] ?? req.method](req.params ?? null)) ?? null;
      if (req.method === 'diff' && result?.stdout != null) {
        send({ jsonrpc: '2.0', id: 'print-1', method: 'print', params: { content: result.stdout } });
        result.stdout = null;
      }
      send({ jsonrpc: '2.0', id: req.id, result });
    } catch (err) {
      const message = String(err?.message ?? err).replace(/\n +0: schema_engine_wasm[\s\S]*$/, '');
      send({
        jsonrpc: '2.0',
        id: req.id,
        error: {
          code: 4466,
          message: 'An error happened. Check the data field for details.',
          data: { is_panic: false, message, error_code: err?.code },
        },
      });
    }
  })();
  busy.add(p);
  p.finally(() => busy.delete(p));
});
rl.on('close', async () => {
  await Promise.allSettled([...busy]);
  process.exit(0);
});
