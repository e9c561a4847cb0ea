import { setTimeout as wait } from 'node:timers/promises';
import { type Consumer, type EachBatchPayload, type Kafka } from 'kafkajs';
import { type Logger } from '@svc/runtime/observability';
import { type MessageConsumer, takeNext } from '../consumption/message-consumer';
import { receivedMessage } from './event-message';
import { type KafkaTopic } from './kafka-topic';

/** After a crash the member's partitions wait this long. Heartbeats continue while an event is handled. */
const SESSION_TIMEOUT_MS = 10_000;
const HEARTBEAT_EVERY_MS = 3_000;
/** The longest time that a rebalance waits for a member that still handles an event. */
const REBALANCE_TIMEOUT_MS = 20_000;
/** The longest time of an idle fetch. The pause of a partition, and a close, take effect after a fetch. */
const FETCH_WAIT_MS = 500;
const COMMIT_EVERY_MS = 1_000;
const PARTITIONS_AT_A_TIME = 4;
const REJOIN = { retries: 10, initialRetryTime: 100, maxRetryTime: 2_000 };
const REJOIN_DELAY_MIN_MS = 500;
const REJOIN_DELAY_MAX_MS = 10_000;

interface SubscriptionOptions {
  /** A separate client, because members of a group on one client would share a cache of committed offsets. */
  readonly kafka: Kafka;
  readonly topic: KafkaTopic;
  readonly groupId: string;
  readonly consumer: MessageConsumer;
  readonly logger: Logger;
}

/** A member of a consumer group, which rejoins after any failure until it is closed. */
export class KafkaSubscription {
  private readonly closing = new AbortController();
  private readonly running: Promise<void>;
  private failureCount = 0;
  private end: (cause: unknown) => void = () => undefined;

  constructor(private readonly options: SubscriptionOptions) {
    this.running = this.run();
  }

  /** Resolves when the messages in flight are handled and their offsets committed. */
  async close(): Promise<void> {
    this.closing.abort();
    this.end(null);
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    const { logger, groupId } = this.options;
    while (!signal.aborted) {
      const failure = await this.consume().catch((error: unknown) => error);
      if (signal.aborted) return;
      if (this.failureCount === 0) logger.error({ groupId, err: failure }, 'event consumer lost Kafka');
      const delayMs = Math.min(REJOIN_DELAY_MIN_MS * 2 ** this.failureCount++, REJOIN_DELAY_MAX_MS);
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when it is closed, or with the error that ended the membership. */
  private async consume(): Promise<unknown> {
    const { topic, kafka, groupId } = this.options;
    await topic.ensure();
    const member = kafka.consumer({
      groupId,
      sessionTimeout: SESSION_TIMEOUT_MS,
      heartbeatInterval: HEARTBEAT_EVERY_MS,
      rebalanceTimeout: REBALANCE_TIMEOUT_MS,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      allowAutoTopicCreation: false,
      // The client never retries after some errors, but `run` recovers from all of them.
      retry: { ...REJOIN, restartOnFailure: () => Promise.resolve(false) },
    });
    const ended = this.endOf(member);
    try {
      await member.connect();
      await member.subscribe({ topics: [topic.name], fromBeginning: true });
      await member.run({
        eachBatchAutoResolve: false,
        autoCommitInterval: COMMIT_EVERY_MS,
        partitionsConsumedConcurrently: PARTITIONS_AT_A_TIME,
        eachBatch: (batch) => this.takeBatch(batch),
      });
      return await ended;
    } finally {
      await member.disconnect().catch(() => undefined);
    }
  }

  private endOf(member: Consumer): Promise<unknown> {
    const { logger, groupId } = this.options;
    member.on(member.events.GROUP_JOIN, ({ payload }) => {
      this.failureCount = 0;
      const partitions = Object.values(payload.memberAssignment).flat();
      logger.info({ groupId, partitions }, 'event consumer joined its group');
    });
    return new Promise((resolve) => {
      member.on(member.events.CRASH, ({ payload }) => {
        resolve(payload.error);
      });
      this.end = resolve;
      if (this.closing.signal.aborted) resolve(null);
    });
  }

  /** Stops at a postponed message and pauses only its partition. The next fetch after the pause begins with it. */
  private async takeBatch({ batch, ...membership }: EachBatchPayload): Promise<void> {
    const { resolveOffset, heartbeat, commitOffsetsIfNecessary, pause, isRunning, isStale } = membership;
    const beat = setInterval(() => {
      heartbeat().catch(() => undefined);
    }, HEARTBEAT_EVERY_MS);
    try {
      const { topic, partition } = batch;
      const messages = batch.messages.map((message) => receivedMessage(topic, partition, message));
      for (let at = 0; at < messages.length;) {
        if (!isRunning() || isStale()) return;
        const taken = await takeNext(this.options.consumer, messages, at);
        if (typeof taken !== 'number') {
          setTimeout(pause(), taken.retryInMs).unref();
          return;
        }
        at += taken;
        resolveOffset(String(messages[at - 1]?.offset));
        await heartbeat();
        await commitOffsetsIfNecessary();
      }
    } finally {
      clearInterval(beat);
    }
  }
}
