import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './steps.mjs';
import { root, serviceNode } from './workspace.mjs';

const isMissing = (folder) => !existsSync(join(root, folder));

/** Generates the Prisma client where there is none, or an outdated one. */
export async function providePrismaClient({ isOutdated = false } = {}) {
  if (isOutdated || isMissing('libs/database/src/generated'))
    await quietly('generating the Prisma client', 'prisma', ['generate']);
}

/** Generates the types and the documents of the routes, which the console's specs answer from, where there are none. Takes a build. */
export async function provideDocuments() {
  if (isMissing('apps/console/web/api/generated'))
    await quietly("generating the console's client", serviceNode(), ['apps/console/generate-client.mjs']);
}
