/** The environment for `infra/local/servers.mjs`, with the servers in a separate folder. */
export const environmentIn = (folder: string) => ({ ...process.env, SVC_SERVERS_DIR: folder });

/** The Kafka that the set-up of the fault tier has started. */
export const brokersOfThisRun = (): string[] => (process.env['SVC_TEST_KAFKA_BROKERS'] ?? '').split(',');
