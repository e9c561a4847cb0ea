/** For `infra/local/servers.mjs`: ours, with its servers in a folder of their own. */
export const environmentIn = (folder: string) => ({ ...process.env, SVC_SERVERS_DIR: folder });
