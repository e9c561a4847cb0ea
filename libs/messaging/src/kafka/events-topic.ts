import { type Admin, type Kafka } from 'kafkajs';

/** How many processes of a group can work at a time. Divides evenly among 2, 3, 4 and 6. */
const PARTITION_COUNT = 12;
/** As long as the outbox keeps published events. So long a consumer may be away. */
const RETENTION_MS = 30 * 24 * 3_600_000;

/** The topic itself, and whether Kafka answers. */
export class EventsTopic {
  private readonly admin: Admin;

  readonly name: string;

  constructor(kafka: Kafka, prefix: string) {
    this.name = `${prefix}.events.v1`;
    this.admin = kafka.admin();
  }

  /** Creates the topic where it is missing. One that exists stays as its operator made it. */
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
