import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, UseFilters } from '@nestjs/common';
import {
  callerOf,
  fineTuningCheckpointQuery,
  fineTuningEventQuery,
  fineTuningJobQuery,
  gatedCallAs,
  newFineTuningJob,
  OpenedByKey,
  ToErrorHandler,
  unknownResource,
  validated,
} from '@svc/api';
import { GatewayError, isId } from '@svc/kernel';
import { type FastifyRequest } from 'fastify';
import { z } from 'zod';
import { FineTuningJobs } from './fine-tuning-jobs';
import { JobProgress } from './job-progress';
import { presentCheckpoint, presentJobEvent } from './job-progress-schema';
import { newJobHeaders, presentJob } from './job-schema';

const MANAGED_ROUTE = 'POST /api/v1/fine-tuning/jobs';
const idempotencyHeader = z.object(newJobHeaders);

/** Jobs in the form of OpenAI’s API, for its SDK unmodified (docs/reference/fine-tuning.md#jobs). */
@Controller('v1/fine_tuning/jobs')
@UseFilters(ToErrorHandler)
export class OpenAiJobsController {
  constructor(
    private readonly jobs: FineTuningJobs,
    private readonly progress: JobProgress,
  ) {}

  @Post()
  @HttpCode(200)
  @OpenedByKey('fine_tuning:write')
  async create(@Req() http: FastifyRequest, @Body() given: unknown) {
    const body = validated(newFineTuningJob, given ?? undefined);
    const { 'Idempotency-Key': key } = validated(idempotencyHeader, {
      'Idempotency-Key': http.headers['idempotency-key'],
    });
    const call = gatedCallAs(MANAGED_ROUTE, http, key === undefined ? {} : { 'Idempotency-Key': key });
    return presentJob(await this.jobs.create({ ...callerOf(http), call }, body, key ?? null));
  }

  @Get()
  @OpenedByKey('fine_tuning:read')
  async list(@Req() http: FastifyRequest, @Query() query: Record<string, unknown>) {
    const { metadata, rest } = withoutMetadata(query);
    const { limit, after = null } = validated(fineTuningJobQuery, rest);
    if (after !== null && !isId('fineTuningJob', after)) throw unknownAfter();
    const { items, hasMore } = await this.jobs.list(callerOf(http), { limit, after, metadata });
    return listOf(items.map(presentJob), hasMore);
  }

  @Get(':fine_tuning_job_id')
  @OpenedByKey('fine_tuning:read')
  async get(@Req() http: FastifyRequest, @Param('fine_tuning_job_id') id: string) {
    return presentJob(await this.jobs.get(callerOf(http), idOf(id)));
  }

  @Post(':fine_tuning_job_id/cancel')
  @HttpCode(200)
  @OpenedByKey('fine_tuning:write')
  async cancel(@Req() http: FastifyRequest, @Param('fine_tuning_job_id') id: string) {
    return presentJob(await this.jobs.cancel(callerOf(http), idOf(id)));
  }

  @Post(':fine_tuning_job_id/pause')
  @OpenedByKey('fine_tuning:write')
  async pause(@Req() http: FastifyRequest, @Param('fine_tuning_job_id') id: string): Promise<never> {
    await this.jobs.get(callerOf(http), idOf(id));
    throw unsupported('paused');
  }

  @Post(':fine_tuning_job_id/resume')
  @OpenedByKey('fine_tuning:write')
  async resume(@Req() http: FastifyRequest, @Param('fine_tuning_job_id') id: string): Promise<never> {
    await this.jobs.get(callerOf(http), idOf(id));
    throw unsupported('resumed');
  }

  @Get(':fine_tuning_job_id/events')
  @OpenedByKey('fine_tuning:read')
  async events(@Req() http: FastifyRequest, @Param('fine_tuning_job_id') id: string, @Query() query: object) {
    const { limit, after = null } = validated(fineTuningEventQuery, query);
    const page = { limit, after, unknownAfter: unknownInList };
    const { items, hasMore } = await this.progress.events(callerOf(http), idOf(id), page);
    return listOf(items.map(presentJobEvent), hasMore);
  }

  @Get(':fine_tuning_job_id/checkpoints')
  @OpenedByKey('fine_tuning:read')
  async checkpoints(
    @Req() http: FastifyRequest,
    @Param('fine_tuning_job_id') id: string,
    @Query() query: object,
  ) {
    const { limit, after = null } = validated(fineTuningCheckpointQuery, query);
    const page = { limit, after, unknownAfter: unknownInList };
    const { items, hasMore, job } = await this.progress.checkpoints(callerOf(http), idOf(id), page);
    return listOf(
      items.map((item) => presentCheckpoint(item, job)),
      hasMore,
    );
  }
}

const listOf = <T extends { readonly id: string }>(data: readonly T[], hasMore: boolean) => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
});

/** Pairs of a filter are named `metadata[name]`. */
const METADATA = /^metadata\[(.{1,64})\]$/;

function withoutMetadata(query: Record<string, unknown>) {
  const metadata: Record<string, string> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    const key = METADATA.exec(name)?.[1];
    if (key !== undefined && typeof value === 'string') metadata[key] = value;
    else rest[name] = value;
  }
  return { metadata, rest };
}

/** @throws GatewayError `notFound` for an id of another kind, such as a provider's own. */
function idOf(text: string): string {
  if (!isId('fineTuningJob', text)) throw unknownResource();
  return text;
}

const unknownAfter = (): GatewayError =>
  new GatewayError('invalidRequest', 'after: must be the id of a job.', { param: 'after' });

const unknownInList = (): GatewayError =>
  new GatewayError('invalidRequest', 'after: must be an id of this list.', { param: 'after' });

const unsupported = (what: string): GatewayError =>
  new GatewayError('operationUnsupported', `Jobs cannot be ${what} here. They can be cancelled.`);
