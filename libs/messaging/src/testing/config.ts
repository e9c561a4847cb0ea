/** The environment for `infra/local/servers.mjs`, with the servers in a separate folder. */
export const environmentIn = (folder: string) => ({ ...process.env, SVC_SERVERS_DIR: folder });
