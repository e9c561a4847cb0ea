import { type Page, type Slice } from '@svc/kernel';
import { type Database } from '../database/database';
import { sliceOf } from '../database/page';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';

/** A parked message (dead letter) as an operator judges it: without its payload. */
export interface ParkedMessage {
  readonly id: string;
  /** The consumer group that could not process it. */
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** The organization of an event; any text of another message. */
  readonly key: string | null;
  readonly reason: string;
  readonly payloadBytes: number;
  /** Null for a message that is no event. */
  readonly eventId: string | null;
  readonly eventType: string | null;
  /** True where the outbox still has its event, so that it can be published again. */
  readonly canRequeue: boolean;
  readonly parkedAt: Date;
  readonly resolvedAt: Date | null;
}

export interface ParkedMessageFilter {
  readonly isResolved?: boolean | undefined;
  readonly consumer?: string | undefined;
}

interface Row extends Omit<ParkedMessage, 'eventId' | 'eventType' | 'canRequeue'> {
  /** The last bytes of the payload. */
  readonly end: Uint8Array;
}

const ID = Prisma.sql`parked_message_id(parked_at, consumer, topic, partition, "offset")`;
/** The envelope's keys are sorted, so that `id` and `type` are at its end. */
const EVENT = /"id":"(evt_[0-9a-hjkmnp-tv-z]{26})","organization_id":"[^"]*","type":"([\w.]+)"\}$/;
const COLUMNS = Prisma.sql`${ID} AS id, consumer, topic, partition, "offset", key, reason,
  length(payload) AS "payloadBytes", substring(payload FROM greatest(length(payload) - 511, 1)) AS "end",
  parked_at AS "parkedAt", resolved_at AS "resolvedAt"`;

/** The operator's side of the parked messages. */
export class ParkedMessages {
  constructor(private readonly database: Database) {}

  /** Those parked last first. */
  async listParkedMessages(
    page: Page,
    { isResolved, consumer }: ParkedMessageFilter,
  ): Promise<Slice<ParkedMessage>> {
    const conditions = [
      Prisma.sql`TRUE`,
      ...(page.before === null ? [] : [Prisma.sql`${ID} < ${page.before}`]),
      ...(isResolved === undefined ? [] : [Prisma.sql`(resolved_at IS NOT NULL) = ${isResolved}`]),
      ...(consumer === undefined ? [] : [Prisma.sql`consumer = ${consumer}`]),
    ];
    const rows = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${COLUMNS} FROM parked_messages WHERE ${Prisma.join(conditions, ' AND ')}
      ORDER BY ${ID} DESC LIMIT ${page.limit + 1}`;
    const { items, hasMore } = sliceOf(rows, page, (row) => row);
    return { items: await withEvents(this.database.prisma, items), hasMore };
  }

  findParkedMessage(id: string): Promise<ParkedMessage | null> {
    return find(this.database.prisma, id);
  }

  /**
   * Marks a message that waits as resolved. The second of two calls at once waits for the first, and then finds nothing.
   * @returns null where no message with the id waits.
   */
  async resolve(tx: Transaction, id: string, at: Date): Promise<ParkedMessage | null> {
    const prisma = prismaOf(tx);
    const count = await prisma.$executeRaw`
      UPDATE parked_messages SET resolved_at = ${at} WHERE ${ID} = ${id} AND resolved_at IS NULL`;
    return count === 0 ? null : find(prisma, id);
  }

  /** Has the relay publish an event again, to every consumer. @returns false where the outbox has it no more. */
  async publishAgain(tx: Transaction, eventId: string): Promise<boolean> {
    const count = await prismaOf(tx)
      .$executeRaw`UPDATE outbox_events SET published_at = NULL WHERE id = ${eventId}`;
    return count === 1;
  }
}

async function find(prisma: Prisma.TransactionClient, id: string): Promise<ParkedMessage | null> {
  const rows = await prisma.$queryRaw<Row[]>`SELECT ${COLUMNS} FROM parked_messages WHERE ${ID} = ${id}`;
  const [found] = await withEvents(prisma, rows);
  return found ?? null;
}

async function withEvents(prisma: Prisma.TransactionClient, rows: readonly Row[]): Promise<ParkedMessage[]> {
  const named = rows.map(({ end, ...row }) => {
    const [, eventId = null, eventType = null] = EVENT.exec(Buffer.from(end).toString('utf8')) ?? [];
    return { ...row, eventId, eventType };
  });
  const ids = named.map(({ eventId }) => eventId).filter((id) => id !== null);
  const kept =
    ids.length === 0
      ? []
      : await prisma.outboxEvent.findMany({ where: { id: { in: ids } }, select: { id: true } });
  const keptIds = new Set(kept.map(({ id }) => id));
  return named.map((row) => ({ ...row, canRequeue: row.eventId !== null && keptIds.has(row.eventId) }));
}
