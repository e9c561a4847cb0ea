import { z } from 'zod';
import { id } from '../fields';
import { jsonAnswer } from '../document/described-answers';
import { type DocumentedRoutes } from '../document/documented-routes';
import { fileRoutes } from '../file-routes/file-routes';
import { errors, reads, TAG, writes } from '../file-routes/parts';
import {
  fineTuningCheckpointList,
  fineTuningCheckpointQuery,
  fineTuningEventList,
  fineTuningEventQuery,
  fineTuningJob,
  fineTuningJobList,
  fineTuningJobQuery,
  newFineTuningJob,
} from './job-bodies';

const path = z.object({ fine_tuning_job_id: id('fineTuningJob') });
const json = <T extends z.ZodType>(schema: T) => ({ 'application/json': { schema } });

const idempotencyKey = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'A retry with the same key and body within 24 hours answers with the same job.',
    example: 'support-2026-11',
  }),
});

const unsupported = (operationId: string, summary: string) => ({
  post: {
    operationId,
    tags: [TAG],
    summary,
    description: 'No provider offers it: the answer is always `operation_unsupported`, or 404.',
    security: writes,
    requestParams: { path },
    responses: errors('notFound', 'operationUnsupported'),
  },
});

/** The document's descriptions of the routes of files and jobs below `/v1`, which the management service serves. */
export const fineTuningRoutes: DocumentedRoutes = {
  tags: fileRoutes.tags,
  paths: {
    ...fileRoutes.paths,
    '/v1/fine_tuning/jobs': {
      post: {
        operationId: 'createOpenAiFineTuningJob',
        tags: [TAG],
        summary: 'Trains a model with a file.',
        description:
          'What it costs at most is held in the wallet until it ends. `GET /api/v1/fine-tuning/jobs/{fine_tuning_job_id}` shows it.',
        security: writes,
        requestParams: { header: idempotencyKey },
        requestBody: { required: true, content: json(newFineTuningJob) },
        responses: {
          '200': jsonAnswer('The job.', fineTuningJob),
          ...errors(
            'unsupportedParameter',
            'approvalRequired',
            'insufficientFunds',
            'budgetExceeded',
            'notFound',
            'conflict',
            'idempotencyKeyReused',
            'unsupportedContentEncoding',
            'noEligibleRoute',
            'operationUnsupported',
          ),
        },
      },
      get: {
        operationId: 'listOpenAiFineTuningJobs',
        tags: [TAG],
        summary: 'The jobs, newest first.',
        description:
          'A project’s key sees those that keys of its project made. `metadata[name]=value` shows only jobs with this pair.',
        security: reads,
        requestParams: { query: fineTuningJobQuery },
        responses: { '200': jsonAnswer('A page of them.', fineTuningJobList), ...errors() },
      },
    },
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}': {
      get: {
        operationId: 'getOpenAiFineTuningJob',
        tags: [TAG],
        summary: 'One job.',
        security: reads,
        requestParams: { path },
        responses: { '200': jsonAnswer('The job.', fineTuningJob), ...errors('notFound') },
      },
    },
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}/cancel': {
      post: {
        operationId: 'cancelOpenAiFineTuningJob',
        tags: [TAG],
        summary: 'Cancels a job that has not ended.',
        description:
          'It has ended once the provider confirms it. What is trained by then is charged where the provider reports it. A ' +
          'cancellation that meets success is success.',
        security: writes,
        requestParams: { path },
        responses: { '200': jsonAnswer('The job.', fineTuningJob), ...errors('notFound', 'conflict') },
      },
    },
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}/pause': unsupported(
      'pauseFineTuningJob',
      'Refuses to pause a job.',
    ),
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}/resume': unsupported(
      'resumeFineTuningJob',
      'Refuses to resume a job.',
    ),
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}/events': {
      get: {
        operationId: 'listFineTuningEvents',
        tags: [TAG],
        summary: 'What a job said, newest first.',
        security: reads,
        requestParams: { path, query: fineTuningEventQuery },
        responses: { '200': jsonAnswer('A page of events.', fineTuningEventList), ...errors('notFound') },
      },
    },
    '/v1/fine_tuning/jobs/{fine_tuning_job_id}/checkpoints': {
      get: {
        operationId: 'listFineTuningCheckpoints',
        tags: [TAG],
        summary: 'The checkpoints of a job, newest first.',
        security: reads,
        requestParams: { path, query: fineTuningCheckpointQuery },
        responses: {
          '200': jsonAnswer('A page of checkpoints.', fineTuningCheckpointList),
          ...errors('notFound'),
        },
      },
    },
  },
};
