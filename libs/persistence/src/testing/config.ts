/**
 * The server for test databases: Jest's set-up starts one for the whole run (infra/jest/set-up/postgres.mjs), or the
 * caller names one.
 */
export function testServerUrl(): string {
  const url = process.env['SVC_TEST_DATABASE_URL'];
  if (url === undefined)
    throw new Error('There is no server for test databases: name the spec *.store.spec.ts or *.int.spec.ts.');
  return url;
}
