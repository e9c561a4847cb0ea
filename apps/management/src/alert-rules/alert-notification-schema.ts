import { z } from 'zod';
import { presenter, timestamp } from '@svc/api';
import { messageKinds } from '@svc/deliveries';
import { type NotificationRecord } from '@svc/alerts/store';

export const alertNotification = z
  .object({
    channel: z.enum(messageKinds),
    target: z.string().meta({
      description: 'The id of the member who gets a mail, or of the integration.',
      example: 'memb_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    status: z.enum(['queued', 'sent', 'failed', 'skipped']),
    at: timestamp().meta({ description: 'Of the status.' }),
    error: z.string().nullable().meta({
      description: 'Why it was not sent, or not yet: `not_configured`, `unavailable`, …',
      example: null,
    }),
  })
  .meta({ id: 'AlertNotification' });

export const presentNotification = presenter<typeof alertNotification, NotificationRecord>(
  alertNotification,
  { channel: ({ channel }) => channel as (typeof messageKinds)[number] },
);
