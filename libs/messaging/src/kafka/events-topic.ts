import { type Admin, type Kafka } from 'kafkajs';
import { EVENTS } from '../event-record';

/** The most processes of a group that can work concurrently. It divides evenly among 2, 3, 4 and 6. */
const PARTITION_COUNT = 12;
/** As long as the outbox keeps published events. A consumer may be down for this long. */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** Administers the topic and checks that Kafka answers. */
export class EventsTopic {
  private readonly admin: Admin;

  readonly name: string;

  constructor(kafka: Kafka, prefix: string) {
    this.name = `${prefix}.${EVENTS}`;
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
          configEntries: [{ name: 'retention.ms', value: String(RETENTION_MS) }],
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
