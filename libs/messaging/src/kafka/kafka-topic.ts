import { type Admin, type Kafka } from 'kafkajs';
import { CALLS } from '../call-record';
import { EVENTS } from '../event-record';

/** The most processes of a group that can work concurrently. It divides evenly among 2, 3, 4 and 6. */
const PARTITION_COUNT = 12;

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
    kafka: Kafka,
    prefix: string,
    private readonly settings: TopicSettings,
  ) {
    this.name = `${prefix}.${settings.suffix}`;
    this.admin = kafka.admin();
  }

  /** Creates a missing topic. An existing one keeps its operator's settings. */
  async ensure(): Promise<void> {
    await this.admin.connect();
    if ((await this.admin.listTopics()).includes(this.name)) return;
    await this.admin.createTopics({
      topics: [
        {
          topic: this.name,
          numPartitions: PARTITION_COUNT,
          configEntries: [{ name: 'retention.ms', value: String(this.settings.retentionMs) }],
        },
      ],
    });
  }

  async ping(): Promise<void> {
    await this.admin.connect();
    await this.admin.describeCluster();
  }

  async close(): Promise<void> {
    await this.admin.disconnect();
  }
}
