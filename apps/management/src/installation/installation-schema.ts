import { z } from 'zod';
import { presentTime, presentTimeOrNull, timestamp } from '@svc/api';
import { COUNTED_MAX, queueNames, type InstallationFigures } from '@svc/ledger/store';

/** A worker beats every two seconds. A worker that is stopped and started again takes some. */
const BEAT_MAX_MS = 15_000;

const queue = z.object({
  name: z.enum(queueNames).meta({ description: 'What waits there.', example: 'events' }),
  waiting: z
    .int()
    .min(0)
    .meta({
      description: `How many wait, counted up to ${String(COUNTED_MAX)}.`,
      example: 0,
    }),
  oldest_at: timestamp()
    .nullable()
    .meta({ description: 'Since when the oldest waits; null where none does.' }),
});

export const installationHealth = z
  .object({
    version: z.string().meta({ description: 'Of the service that answers.', example: '0.1.0' }),
    checked_at: timestamp(),
    worker: z
      .object({
        is_live: z.boolean().meta({ description: 'Whether a worker has beaten in the last 15 seconds.' }),
        beat_at: timestamp().nullable(),
      })
      .meta({ description: 'Some worker: each beats every two seconds.' }),
    writable_since: timestamp()
      .nullable()
      .meta({ description: 'Since when the database takes writes without a gap.' }),
    edges: z
      .array(
        z.object({
          id: z.string().meta({ example: 'edge-7c9f' }),
          is_live: z.boolean().meta({ description: 'Whether its lease holds.' }),
          started_at: timestamp(),
          lease_until: timestamp(),
        }),
      )
      .meta({ description: 'The processes that take calls, those started last first; 100 at most.' }),
    queues: z.array(queue),
  })
  .meta({ id: 'InstallationHealth' });

export const presentHealth = (
  { at, workerBeatAt, writableSince, edges, queues }: InstallationFigures,
  version: string,
): z.input<typeof installationHealth> => ({
  version,
  checked_at: presentTime(at),
  worker: {
    is_live: workerBeatAt !== null && at.getTime() - workerBeatAt.getTime() <= BEAT_MAX_MS,
    beat_at: presentTimeOrNull(workerBeatAt),
  },
  writable_since: presentTimeOrNull(writableSince),
  edges: edges.map(({ id, isLive, startedAt, leaseUntil }) => ({
    id,
    is_live: isLive,
    started_at: presentTime(startedAt),
    lease_until: presentTime(leaseUntil),
  })),
  queues: queueNames.map((name) => ({
    name,
    waiting: queues[name].count,
    oldest_at: presentTimeOrNull(queues[name].oldestAt),
  })),
});
