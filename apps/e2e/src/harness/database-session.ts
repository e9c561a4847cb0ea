import { Client } from 'pg';

/** Opens a session for a spec. A fault may break it. */
export async function openSession(databaseUrl: string): Promise<Client> {
  const session = new Client({ connectionString: databaseUrl });
  session.on('error', () => undefined);
  await session.connect();
  return session;
}

/** The rows of one statement, in its own session. */
export async function rowsOf<Row extends object>(
  databaseUrl: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const session = await openSession(databaseUrl);
  try {
    return (await session.query<Row>(statement, [...values])).rows;
  } finally {
    await session.end();
  }
}
