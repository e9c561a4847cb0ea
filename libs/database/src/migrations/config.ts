import { delimiter, dirname } from 'node:path';
import { loadConfig, variables } from '@svc/runtime/config';
import { z } from 'zod';

/** As in prisma.config.ts. */
const LOCAL = 'postgresql://postgres@127.0.0.1:5432/svc';

/** The database that `npm run migrate` is for. */
export const migratedUrl = (): string =>
  loadConfig(z.object({ SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']).default(LOCAL) }))
    .SVC_DATABASE_URL;

/** The environment of Prisma in specs: this Node.js first, because its schema engine is a script. */
export const prismaEnvironment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  SVC_DATABASE_URL: databaseUrl,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  FORCE_COLOR: '0',
});
