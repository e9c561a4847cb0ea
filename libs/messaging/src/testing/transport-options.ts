import { randomUUID } from 'node:crypto';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { brokersOfThisRun } from './config';
import { type InMemoryParking } from './in-memory-parking';

const CLIENT = 'messaging-spec';

/** The options of every transport. */
export const transportOptions = (parking: InMemoryParking) => ({
  parking,
  logger: createLogger({ service: CLIENT, level: 'silent' }),
  metrics: createMetrics(CLIENT),
});

/** The same for Kafka, with topics and groups of its own in the broker of this run. */
export const kafkaOptions = (parking: InMemoryParking) => ({
  ...transportOptions(parking),
  brokers: brokersOfThisRun(),
  clientId: CLIENT,
  prefix: `spec-${randomUUID()}`,
});
