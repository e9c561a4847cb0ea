/** The server for test databases. Without it, tests start their own. */
export const testServerUrl = (): string | undefined => process.env['SVC_TEST_DATABASE_URL'];
