import { z } from 'zod';
import { id, line, presenter, timestamp } from '@svc/api';
import { type ParkedMessage } from '@svc/database';

const CONSUMER_MAX = 100;

export const parkedMessage = z
  .object({
    id: id('parkedMessage'),
    state: z.enum(['waiting', 'resolved']),
    consumer: z
      .string()
      .meta({ description: 'The group of consumers that could not process it.', example: 'webhooks' }),
    topic: z.string().meta({ description: '`in-process` in one process.', example: 'svc.events.v1' }),
    partition: z.int(),
    offset: z
      .string()
      .meta({ description: 'In the partition, as text: it may be above 2⁵³.', example: '4711' }),
    key: z.string().nullable().meta({
      description: 'The organization of an event.',
      example: 'org_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    reason: z.string().meta({ description: 'How processing it failed.', example: 'Error: no such endpoint' }),
    payload_bytes: z
      .int()
      .min(0)
      .meta({ description: 'The size of the message, which is not shown.', example: 512 }),
    event_id: id('event').nullable().meta({ description: 'Null for a message that is no event.' }),
    event_type: z.string().nullable().meta({ example: 'wallet.credit_granted' }),
    can_requeue: z
      .boolean()
      .meta({ description: 'Whether its event can be published again: it is kept for 30 days.' }),
    parked_at: timestamp(),
    resolved_at: timestamp().nullable(),
  })
  .meta({
    id: 'ParkedMessage',
    description: 'A message (dead letter) that was set aside, so that later ones are processed.',
  });

export const parkedMessageFilters = {
  state: z.enum(['waiting', 'resolved']).optional(),
  consumer: line(CONSUMER_MAX).optional().meta({ example: 'webhooks' }),
};

export const presentParkedMessage = presenter<typeof parkedMessage, ParkedMessage>(parkedMessage, {
  state: ({ resolvedAt }) => (resolvedAt === null ? 'waiting' : 'resolved'),
  offset: ({ offset }) => String(offset),
});
