import { prismaOf, type Transaction } from '@svc/database';
import { type ProviderCheckpoint, type ProviderJobEvent } from '../rules/provider/fine-tuning-provider';

/** Adds the events that are not there yet, by the provider's ids. The transaction must have locked the job. */
export async function mirrorEvents(
  tx: Transaction,
  jobId: string,
  events: readonly ProviderJobEvent[],
): Promise<void> {
  const last = events.at(-1);
  if (last === undefined) return;
  const prisma = prismaOf(tx);
  const known = await prisma.fineTuningJobEvent.findMany({
    where: { jobId, upstreamEvent: { in: events.map(({ id }) => id) } },
    select: { upstreamEvent: true },
  });
  const told = new Set(known.map(({ upstreamEvent }) => upstreamEvent));
  const fresh = distinct(events).filter(({ id }) => !told.has(id));
  const { _max: before } = await prisma.fineTuningJobEvent.aggregate({
    where: { jobId },
    _max: { number: true },
  });
  await prisma.fineTuningJobEvent.createMany({
    data: fresh.map(({ id, metrics, ...event }, at) => ({
      jobId,
      number: (before.number ?? 0) + at + 1,
      upstreamEvent: id,
      level: event.level,
      type: event.type,
      message: event.message,
      createdAt: event.createdAt,
      ...(metrics === null ? {} : { metrics }),
    })),
  });
  await prisma.fineTuningJob.update({ where: { id: jobId }, data: { lastUpstreamEvent: last.id } });
}

/** Adds the checkpoints that are not there yet, by the provider's ids. The transaction must have locked the job. */
export async function mirrorCheckpoints(
  tx: Transaction,
  jobId: string,
  checkpoints: readonly ProviderCheckpoint[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  const prisma = prismaOf(tx);
  const known = await prisma.fineTuningCheckpoint.findMany({
    where: { jobId },
    select: { upstreamCheckpoint: true },
  });
  const told = new Set(known.map(({ upstreamCheckpoint }) => upstreamCheckpoint));
  const fresh = distinct(checkpoints).filter(({ id }) => !told.has(id));
  await prisma.fineTuningCheckpoint.createMany({
    data: fresh.map(({ id, stepNumber, metrics, createdAt }, at) => ({
      jobId,
      number: known.length + at + 1,
      upstreamCheckpoint: id,
      stepNumber,
      metrics,
      createdAt,
    })),
  });
}

/** The first of each id. */
const distinct = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] =>
  [...new Map(all.toReversed().map((one) => [one.id, one])).values()].reverse();
