import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'prisma/config';

const prismaFolder = join(__dirname, 'libs/database/prisma');

// Prisma downloads its schema engine at install. Where it could not, the WebAssembly build of the same engine does.
const engines = join(__dirname, 'node_modules/@prisma/engines');
const hasNativeEngine =
  existsSync(engines) && readdirSync(engines).some((file) => file.startsWith('schema-engine-'));
if (!hasNativeEngine) {
  process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= join(prismaFolder, 'schema-engine.mjs');
}

export default defineConfig({
  schema: join(prismaFolder, 'schema'),
  migrations: { path: join(prismaFolder, 'migrations') },
  datasource: { url: process.env['SVC_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432/svc' },
});
