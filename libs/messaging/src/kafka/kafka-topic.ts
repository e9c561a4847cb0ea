import { setTimeout as pause } from 'node:timers/promises';
import { type Admin, type Kafka } from 'kafkajs';
import { CALLS } from '../call-record';
import { EVENTS } from '../event-record';

/** The most processes of a group that can work concurrently. It divides evenly among 2, 3, 4 and 6. */
const PARTITION_COUNT = 12;

/** A broker learns of a new topic from its controller: within milliseconds, or seconds where it is busy. */
const KNOWN_WITHIN_MS = 10_000;
const KNOWN_POLL_MS = 100;
const NOT_YET_KNOWN = ['UNKNOWN_TOPIC_OR_PARTITION', 'LEADER_NOT_AVAILABLE'];

interface TopicSettings {
  /** The name without the prefix of the installation. */
  readonly suffix: string;
  /** A consumer may be down for this long. */
  readonly retentionMs: number;
}

/** As long as the outbox keeps published events. */
export const EVENTS_TOPIC: TopicSettings = { suffix: EVENTS, retentionMs: 30 * 24 * 3_600_000 };
/** Telemetry that is older is of no use. */
export const CALLS_TOPIC: TopicSettings = { suffix: CALLS, retentionMs: 3_600_000 };

/** Administers a topic and checks that Kafka answers. */
export class KafkaTopic {
  private readonly admin: Admin;

  readonly name: string;

  constructor(
    kafka: Pick<Kafka, 'admin'>,
    prefix: string,
    private readonly settings: TopicSettings,
  ) {
    this.name = `${prefix}.${settings.suffix}`;
    this.admin = kafka.admin();
  }

  /**
   * Creates a missing topic, and waits until its partitions have leaders. An existing one keeps its operator's settings.
   *
   * @throws KafkaJSError where a broker refuses, or does not know the topic after 10 s.
   */
  async ensure(): Promise<void> {
    await this.admin.connect();
    if (!(await this.admin.listTopics()).includes(this.name)) await this.create();
    await this.untilKnown();
  }

  private async create(): Promise<void> {
    await this.admin.createTopics({
      // The client's own wait ends with an error where the broker does not know the topic yet.
      waitForLeaders: false,
      topics: [
        {
          topic: this.name,
          numPartitions: PARTITION_COUNT,
          configEntries: [{ name: 'retention.ms', value: String(this.settings.retentionMs) }],
        },
      ],
    });
  }

  private async untilKnown(): Promise<void> {
    const deadline = performance.now() + KNOWN_WITHIN_MS;
    for (;;) {
      try {
        await this.admin.fetchTopicMetadata({ topics: [this.name] });
        return;
      } catch (error) {
        if (!isNotYetKnown(error) || performance.now() > deadline) throw error;
      }
      await pause(KNOWN_POLL_MS);
    }
  }

  async ping(): Promise<void> {
    await this.admin.connect();
    await this.admin.describeCluster();
  }

  async close(): Promise<void> {
    await this.admin.disconnect();
  }
}

/** The client puts the broker's answer into `cause` after its own retries. */
function isNotYetKnown(error: unknown): boolean {
  const { type, cause } = error as { type?: string; cause?: { type?: string } };
  return NOT_YET_KNOWN.includes(type ?? cause?.type ?? '');
}
