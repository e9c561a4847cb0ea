import { Client, DatabaseError, escapeIdentifier } from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;
const UNKNOWN_DATABASE = '3D000';
const ALREADY_THERE: ReadonlySet<string | undefined> = new Set(['42P04', '23505']);

/** Does the work on a connection of its own. Makes the database that the URL names if there is none. */
export async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  try {
    await connected(url, work);
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === UNKNOWN_DATABASE)) throw error;
    await makeDatabase(url);
    await connected(url, work);
  }
}

async function connected(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // Without a listener a connection that breaks between two statements would end the process. The next statement fails.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}

/** @throws DatabaseError when the account may not. */
async function makeDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = '/postgres';
  await connected(server.href, async (client) => {
    try {
      await client.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
    } catch (error) {
      // Another process was faster.
      if (!(error instanceof DatabaseError && ALREADY_THERE.has(error.code))) throw error;
    }
  });
}
