import { type Admin, type Kafka } from 'kafkajs';
import { EVENTS_TOPIC, KafkaTopic } from './kafka-topic';

/** A broker that answers each question about the topic with the next of these: null means that it knows it. */
function topicAt(answers: readonly (Error | null)[], topics: readonly string[] = []) {
  const asked: string[] = [];
  const admin = {
    connect: () => Promise.resolve(),
    listTopics: () => Promise.resolve([...topics]),
    createTopics: () => Promise.resolve(asked.push('create') > 0),
    fetchTopicMetadata: () => {
      const answer = answers[asked.filter((what) => what === 'metadata').length] ?? null;
      asked.push('metadata');
      return answer === null ? Promise.resolve({ topics: [] }) : Promise.reject(answer);
    },
  };
  const kafka: Pick<Kafka, 'admin'> = { admin: () => admin as unknown as Admin };
  return { asked, topic: new KafkaTopic(kafka, 'svc', EVENTS_TOPIC) };
}

const refusal = (type: string) => Object.assign(new Error(type), { type });

describe('a Kafka topic', () => {
  it('is ensured once the broker knows it, though it did not yet when it was created', async () => {
    const afterRetries = Object.assign(new Error('retried'), { cause: refusal('LEADER_NOT_AVAILABLE') });
    const { topic, asked } = topicAt([refusal('UNKNOWN_TOPIC_OR_PARTITION'), afterRetries]);
    await topic.ensure();
    expect(asked).toEqual(['create', 'metadata', 'metadata', 'metadata']);
  });

  it('is waited for where another process has just created it', async () => {
    const { topic, asked } = topicAt([refusal('LEADER_NOT_AVAILABLE')], ['svc.events.v1']);
    await topic.ensure();
    expect(asked).toEqual(['metadata', 'metadata']);
  });

  it('is given up at once where the broker refuses', async () => {
    const { topic, asked } = topicAt([refusal('TOPIC_AUTHORIZATION_FAILED')]);
    await expect(topic.ensure()).rejects.toThrow('TOPIC_AUTHORIZATION_FAILED');
    expect(asked).toEqual(['create', 'metadata']);
  });
});
