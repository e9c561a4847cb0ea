import { z } from 'zod';
import { id, presentTime, timestamp } from '@svc/api';
import { type NotificationRecord } from '@svc/persistence';

export const alertNotification = z
  .object({
    channel: z.enum(['email']),
    target: id('member').meta({ description: 'The member.' }),
    status: z.enum(['queued', 'sent', 'failed', 'skipped']),
    at: timestamp().meta({ description: 'Of the status.' }),
    error: z.string().nullable().meta({
      description: 'Why it was not sent, or not yet: `not_configured`, `unavailable`, …',
      example: null,
    }),
  })
  .meta({ id: 'AlertNotification' });

export const presentNotification = (record: NotificationRecord): z.input<typeof alertNotification> => ({
  channel: 'email',
  target: record.memberId,
  status: record.status,
  at: presentTime(record.at),
  error: record.error,
});
