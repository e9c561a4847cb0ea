/** SVC_E2E_COMPOSITION=separate runs every service as its own process over real servers; else one process runs all. */
export const isSeparate = process.env.SVC_E2E_COMPOSITION === 'separate';

/** A Python that has the clients of the guides (`npm run test:clients`, `npm run test:docs:python`), or null. */
export const pythonOfThisRun = process.env.SVC_TEST_PYTHON ?? null;

/** The program `schemathesis` of `npm run test:fuzz`, or null. */
export const fuzzerOfThisRun = process.env.SVC_TEST_FUZZER ?? null;

/** The folder of a build of the version before (`npm run test:upgrade`). */
export const versionBeforeOfThisRun = (): string => folderOfThisRun('SVC_TEST_VERSION_BEFORE');

/** The folder with clients that are no dependencies of the project (`npm run test:clients`), or null. */
export const nodeClientsOfThisRun = process.env.SVC_TEST_NODE_CLIENTS ?? null;

/** The program `nginx` of `npm run test:clients`, or null. */
export const nginxOfThisRun = process.env.SVC_TEST_NGINX ?? null;

/** The environment of this run itself, with additions: for the tools of the repository. */
export const toolEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});

/** The same without the caller's own settings and keys: for a program under test. */
export const cleanEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^SVC_|_API_KEY$/.test(name));
  const { SVC_TEST_COMPILE_CACHE: compileCache } = process.env;
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    ...(compileCache !== undefined && { NODE_COMPILE_CACHE: compileCache }),
    ...more,
  };
};

/** Where separate services find what they run on. */
export interface RealServers {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly kafkaBrokers: string;
}

/** Those that Jest's set-up has started (infra/jest/set-up/servers-of-this-run.mjs). */
export function serversOfThisRun(): RealServers {
  const {
    SVC_TEST_DATABASE_URL: databaseUrl,
    SVC_TEST_REDIS_URL: redisUrl,
    SVC_TEST_KAFKA_BROKERS: kafkaBrokers,
  } = process.env;
  if (databaseUrl === undefined || redisUrl === undefined || kafkaBrokers === undefined)
    throw new Error('Separate services need real servers: name the spec *.fault.spec.ts.');
  return { databaseUrl, redisUrl, kafkaBrokers };
}

/** The variables of an object storage that is a real server; without one, services keep objects in a folder. */
export const storageOfThisRun = JSON.parse(process.env.SVC_TEST_STORAGE ?? '{}') as Readonly<
  Record<string, string>
>;

/** A data folder with a migrated, empty database, to copy (infra/jest/set-up/services.mjs). */
export const migratedDataOfThisRun = (): string => folderOfThisRun('SVC_TEST_MIGRATED_DATA');

/** Where the processes of Jest keep what the service that each of them shares needs; the run ends when it is empty. */
export const sharedServicesOfThisRun = (): string => folderOfThisRun('SVC_TEST_SHARED_SERVICES');

function folderOfThisRun(name: string): string {
  const folder = process.env[name];
  if (folder === undefined) throw new Error(`${name} is not set: the global set-up of Jest sets it.`);
  return folder;
}

/** The address of the browser of this run; empty where the machine has none. */
export const browserOfThisRun = process.env.SVC_TEST_BROWSER ?? '';

/** True where everything that a spec needs must be there. */
export const isCi = (process.env.CI ?? '') !== '';

/** Where pictures go; null for the repository's `artifacts/`. */
export const artifactsFolder = process.env.ARTIFACTS_DIR ?? null;

/** True where a spec writes the page of docs/ that it holds. */
export const writesPages = (process.env.UPDATE_DOCS ?? '') !== '';

/** True where nothing else runs on this machine, so that times can be held to what they should be. */
export const isQuietMachine = (process.env.SVC_TEST_QUIET_MACHINE ?? '') !== '';

/** The secret that events of simulated payments are signed with, so that a spec can sign some itself. */
export const PAYMENT_WEBHOOK_SECRET = 'whsec_of_these_specs';
