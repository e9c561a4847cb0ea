import { delimiter, dirname } from 'node:path';

/** The environment of a Prisma child process: this Node.js first, because its schema engine is a script. */
export const prismaEnvironment = (databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
  SVC_DATABASE_URL: databaseUrl,
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  FORCE_COLOR: '0',
});
