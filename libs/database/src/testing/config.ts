/**
 * The server for test databases: Jest's set-up starts one for the whole run (infra/jest/set-up/postgres.mjs), or the
 * caller names one.
 */
export const testServerUrl = (): string => ofSetUp('SVC_TEST_DATABASE_URL');

/** The database to copy, named after the content of migrations and functions: a change makes another one. */
export const testTemplate = (): string => ofSetUp('SVC_TEST_DATABASE_TEMPLATE');

function ofSetUp(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error('There is no server for test databases: name the spec *.store.spec.ts or *.int.spec.ts.');
  return value;
}
