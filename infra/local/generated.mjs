// `node infra/local/generated.mjs`: generates the Prisma client where there is none, or one of another schema.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './steps.mjs';
import { isProgram, root, serviceNode } from './workspace.mjs';

const SCHEMA = 'libs/database/prisma/schema';
const CLIENT = 'libs/database/src/generated';
/** In the folder of the client, so Nx brings both from its cache, and nothing that has them generates them again. */
const CLIENT_OF = `${CLIENT}/schema-hash`;

export async function providePrismaClient() {
  const hash = schemaHash();
  if (existsSync(join(root, CLIENT_OF)) && String(read(CLIENT_OF)) === hash) return;
  await quietly('generating the Prisma client', 'prisma', ['generate']);
  writeFileSync(join(root, CLIENT_OF), hash);
}

/** Changes with each thing that the client is made from. */
function schemaHash() {
  const files = readdirSync(join(root, SCHEMA)).map((name) => `${SCHEMA}/${name}`);
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'prisma.config.ts', 'package-lock.json']) hash.update(read(file));
  return hash.digest('hex');
}

const read = (file) => readFileSync(join(root, file));

/** Generates the types and the documents of the routes, which the console's specs answer from, where there are none. Takes a build. */
export async function provideDocuments() {
  if (!existsSync(join(root, 'apps/console/web/api/generated')))
    await quietly("generating the console's client", serviceNode(), ['apps/console/generate-client.mjs']);
}

if (isProgram(import.meta.url)) await providePrismaClient();
