import { type RealServers } from './real-servers';

/** With SVC_E2E_COMPOSITION=separate every service is a process of its own over real servers, else all are one. */
export const isSeparate = process.env.SVC_E2E_COMPOSITION === 'separate';

/** What this run itself was started with, and what is said beside it: for the tools of the repository. */
export const toolEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  ...more,
});

/** The same without the caller's own settings and keys: for a program under test. */
export const cleanEnvironment = (more: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const inherited = Object.entries(process.env).filter(([name]) => !/^SVC_|_API_KEY$/.test(name));
  return { ...Object.fromEntries(inherited), NODE_ENV: 'production', ...more };
};

/** Those of `npm run test:distributed`. */
export function serversOfThisRun(): RealServers {
  const {
    SVC_TEST_DATABASE_URL: databaseUrl,
    SVC_TEST_REDIS_URL: redisUrl,
    SVC_TEST_KAFKA_BROKERS: kafkaBrokers,
  } = process.env;
  if (databaseUrl === undefined || redisUrl === undefined || kafkaBrokers === undefined)
    throw new Error('Separate services need real servers: npm run test:distributed provides them.');
  return { databaseUrl, redisUrl, kafkaBrokers };
}
