import { AdaptiveBatch } from '@svc/runtime';
import { type Client } from 'pg';

/** PostgreSQL writes its log in order, and answers this commit once the disk has it. */
const FLUSH = { name: 'flush', text: `SELECT pg_logical_emit_message(true, 'svc', '')` };

/**
 * Waits for the disk on behalf of what commits without waiting (docs/decisions/0069). A crash of the server ends all of its connections.
 * So a connection that was there before a commit and answers after it proves that the server has not lost the commit in between.
 */
export class Flushes {
  private connection: Promise<Client> | null = null;
  private readonly asked = new AdaptiveBatch<Client, undefined>((clients) => flushTogether(clients), {
    itemsMax: Infinity,
  });

  /** @param connect opens a connection whose waits are bounded */
  constructor(private readonly connect: () => Promise<Client>) {}

  /**
   * To be called before what is to be flushed is sent.
   * @returns what {@link flush} takes
   * @throws what the database answers
   */
  witness(): Promise<Client> {
    if (this.connection === null) {
      const connection = this.connect();
      const forget = () => {
        if (this.connection === connection) this.connection = null;
      };
      connection.then((client) => client.once('end', forget), forget);
      this.connection = connection;
    }
    return this.connection;
  }

  /**
   * Resolves when everything that was committed since the connection was made is on the disk, and on the standbys that the server waits for.
   * All that ask meanwhile share a flush.
   * @throws what the database answers: then a crash may have undone it
   */
  flush(witness: Client): Promise<undefined> {
    return this.asked.add(witness);
  }
}

/** Nearly always over one connection. */
async function flushTogether(clients: readonly Client[]): Promise<readonly Promise<undefined>[]> {
  const flushed = new Map([...new Set(clients)].map((client) => [client, flushOver(client)]));
  await Promise.allSettled(flushed.values());
  return clients.map((client) => flushed.get(client) as Promise<undefined>);
}

async function flushOver(client: Client): Promise<undefined> {
  try {
    await client.query(FLUSH);
  } catch (error) {
    // It proves nothing any more: the next one opens another.
    client.end().catch(() => undefined);
    throw error;
  }
}
