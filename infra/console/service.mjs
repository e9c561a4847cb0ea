// The whole service on this machine, over a folder of its own that is removed at the end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { exitOf } from '../local/processes.mjs';
import { compileCache, root, serviceNode } from '../local/workspace.mjs';

const READY = 'SVC_READY ';

/**
 * @param catalog the text of its catalog file
 * @param env more of its variables
 * @returns what the ready line tells, `query` for its database, and `stop`
 */
export async function startService({ catalog, env = {} }) {
  const home = await mkdtemp(join(tmpdir(), 'svc-console-'));
  // The database runs as a user of its own.
  await chmod(home, 0o755);
  const catalogFile = join(home, 'catalog.yaml');
  await writeFile(catalogFile, catalog);
  const dataDir = join(home, 'data');
  const service = spawn(serviceNode(), [join(root, 'dist/apps/all-in-one/src/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: compileCache,
      SVC_PORT: String(await freePort()),
      SVC_DATA_DIR: dataDir,
      SVC_CATALOG_FILE: catalogFile,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ready = await readyLineOf(service);
  const database = new pg.Client(await readFile(join(dataDir, 'database-url'), 'utf8'));
  await database.connect();
  return {
    ...ready,
    query: (sql, values) => database.query(sql, values),
    async stop() {
      await database.end();
      service.kill('SIGTERM');
      await exitOf(service);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function readyLineOf(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.startsWith(READY)) continue;
    service.stdout.resume();
    return JSON.parse(line.slice(READY.length));
  }
  throw new Error('The service ended before it was ready.');
}

/** The port that the guides name, or another where that is taken. */
async function freePort() {
  for (const port of [8080, 0]) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    const { port: free } = server.address();
    server.close();
    await once(server, 'close');
    return free;
  }
  throw new Error('No port is free.');
}
