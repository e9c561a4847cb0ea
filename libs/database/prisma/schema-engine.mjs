#!/usr/bin/env node
// Stands in for Prisma's native schema engine where that could not be downloaded: speaks the same JSON-RPC, a line a
// message, and hands every call to the official WebAssembly build of the same engine over @prisma/adapter-pg.
// prisma.config.ts puts it in place.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';

/** PostgreSQL's catalogue types that adapter-pg does not know, by their oids. */
const CHAR_OID = 18;
const NAME_OID = 19;
const TEXT_OID = 25;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    datamodels: { type: 'string', multiple: true },
    datasource: { type: 'string' },
    version: { type: 'boolean' },
  },
});
const datasource = options.datasource ? JSON.parse(options.datasource) : {};
const bindings = await loadEngine();

async function loadEngine() {
  globalThis.PRISMA_WASM_PANIC_REGISTRY = {
    set_message: (message) => log('ERROR', { message, is_panic: true }),
  };
  const module = '@prisma/schema-engine-wasm/schema_engine_bg';
  const engine = await import(module);
  const file = createRequire(import.meta.url)
    .resolve(module)
    .replace(/\.js$/, '.wasm');
  const { instance } = await WebAssembly.instantiate(readFileSync(file), { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine;
}

/** @returns the exit code. */
async function manageDatabase(command, url) {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const database = pg.escapeIdentifier(name);
  const statements = {
    'create-database': `CREATE DATABASE ${database}`,
    'drop-database': `DROP DATABASE ${database} WITH (FORCE)`,
  };
  const statement = statements[command];
  // Prisma recognises an error only behind an earlier line.
  log('INFO', { message: 'Calling schema engine wasm' });
  const client = new pg.Client({ connectionString: statement ? withDatabase(url, 'postgres') : url });
  try {
    await client.connect();
    if (statement) await client.query(statement);
    log('INFO', { message: 'Success' });
    return 0;
  } catch (error) {
    const codes = { '3D000': 'P1003', '28P01': 'P1000', 28000: 'P1000', '42P04': 'P1009' };
    const code = codes[error.code] ?? 'P1001';
    const message = code === 'P1003' ? `Database \`${name}\` does not exist` : error.message;
    log('ERROR', { message, error_code: code, is_panic: false });
    return 1;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function serve() {
  const call = engineCaller();
  const underWay = new Set();
  log('INFO', { message: 'Starting schema engine RPC server (wasm)', git_hash: bindings.version() });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (!method) return;
    const answering = call(method, params ?? null).then(
      (result) => send({ id, result }),
      (error) => send({ id, error: rpcError(error) }),
    );
    underWay.add(answering);
    void answering.finally(() => underWay.delete(answering));
  });
  lines.on('close', async () => {
    await Promise.allSettled(underWay);
    process.exit(0);
  });
}

function engineCaller() {
  // Commands that compare files only are given no database, and never connect.
  const url = datasource.url ?? 'postgresql://postgres@127.0.0.1:1/none';
  const factory = bindMigrationAwareSqlAdapterFactory(
    new MigrationAdapter(url, datasource.shadowDatabaseUrl),
  );
  const datamodels = options.datamodels?.map((file) => [file, readFileSync(file, 'utf8')]);
  let engine;
  return async (method, params) => {
    engine ??= bindings.SchemaEngine.new({ datamodels }, () => undefined, factory);
    const name = method === 'getDatabaseVersion' ? 'version' : method;
    const result = (await (await engine)[name](params)) ?? null;
    if (method === 'diff' && typeof result?.stdout === 'string') {
      // The native engine prints through its caller.
      send({ id: 'print', method: 'print', params: { content: result.stdout } });
      result.stdout = null;
    }
    return result;
  };
}

/** adapter-pg, and what the engine needs besides: catalogue types, whole scripts, a shadow database. */
class MigrationAdapter extends PrismaPg {
  constructor(url, shadowUrl) {
    super({ connectionString: url }, { schema: new URL(url).searchParams.get('schema') ?? undefined });
    this.url = url;
    this.shadowUrl = shadowUrl;
  }

  async connect() {
    return adapted(await super.connect());
  }

  async connectToShadowDb() {
    if (this.shadowUrl) return new MigrationAdapter(this.shadowUrl).connect();
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    const admin = new pg.Client({ connectionString: this.url });
    await admin.connect();
    await admin.query(`CREATE DATABASE "${name}"`);
    const shadow = await new MigrationAdapter(withDatabase(this.url, name)).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await admin.end();
    };
    return shadow;
  }
}

function adapted(adapter) {
  const queryRaw = Object.getPrototypeOf(adapter).queryRaw;
  const performIO = adapter.performIO.bind(adapter);
  adapter.queryRaw = async (query) => {
    let charColumns = [];
    const io = async (performed) => {
      const result = await performIO(performed);
      const fields = result.fields ?? [];
      charColumns = fields.flatMap(({ dataTypeID }, at) => (dataTypeID === CHAR_OID ? [at] : []));
      for (const field of fields) {
        if (field.dataTypeID === CHAR_OID || field.dataTypeID === NAME_OID) field.dataTypeID = TEXT_OID;
      }
      return result;
    };
    const answer = await queryRaw.call(Object.create(adapter, { performIO: { value: io } }), query);
    // As text, the engine would panic on constraints.
    for (const at of charColumns) answer.columnTypes[at] = ColumnTypeEnum.Character;
    return answer;
  };
  // The stock one splits at every semicolon, also inside functions, and uses any connection of its pool.
  adapter.executeScript = async (script) => {
    const client = await adapter.client.connect();
    try {
      await client.query(script);
    } catch (error) {
      adapter.onError(error);
    } finally {
      client.release();
    }
  };
  return adapter;
}

function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function rpcError(error) {
  const message = String(error?.message ?? error).replace(/\n +0: schema_engine_wasm[\s\S]*$/, '');
  return {
    code: 4466,
    message: 'An error happened. Check the data field for details.',
    data: { is_panic: false, message, error_code: error?.code },
  };
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

function log(level, fields) {
  const entry = { timestamp: new Date().toISOString(), level, fields, target: 'schema_engine::logger' };
  process.stderr.write(`${JSON.stringify(entry)}\n`);
}

if (options.version) {
  process.stdout.write(`schema-engine-cli ${bindings.version()}\n`);
} else if (positionals[0] === 'cli') {
  process.exitCode = await manageDatabase(positionals[1], datasource.url);
} else {
  serve();
}
