import { z } from 'zod';
import { jsonAnswer, textAnswer } from './described-answers';
import { type DocumentedRoutes } from './documented-routes';
import { errorAnswers } from './error-answers';

const TAG = 'Health';

/**
 * The document's descriptions of the routes that `mountHealth` mounts.
 * @param metricsNeedToken whether that was given a token. Separate services have none: only the operator's network reaches
 * their metrics.
 */
export const healthRoutes = ({ metricsNeedToken }: { metricsNeedToken: boolean }): DocumentedRoutes => ({
  isAside: true,
  tags: [{ name: TAG, description: 'For those who run the service.' }],
  paths: {
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: [TAG],
        summary: 'Whether the process is alive.',
        security: [],
        responses: {
          '200': jsonAnswer('The process is alive.', z.object({ status: z.literal('ok') })),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/readyz': {
      get: {
        operationId: 'getReadiness',
        tags: [TAG],
        summary: 'Whether every dependency of the service answers.',
        security: [],
        responses: {
          '200': jsonAnswer('Every dependency answers.', z.object({ status: z.literal('ready') })),
          '503': jsonAnswer(
            'A dependency does not answer.',
            z.object({
              status: z.literal('unavailable'),
              failing: z.array(z.string().meta({ example: 'postgresql' })),
            }),
          ),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/metrics': {
      get: {
        operationId: 'getMetrics',
        tags: [TAG],
        summary: 'Metrics for Prometheus.',
        security: metricsNeedToken ? [{ metrics: [] }] : [],
        responses: {
          '200': textAnswer(
            'The metrics.',
            'text/plain',
            '# HELP svc_calls_total Inference calls.\n# TYPE svc_calls_total counter\n',
          ),
          ...errorAnswers([...(metricsNeedToken ? (['invalidApiKey'] as const) : []), 'unhandled']),
        },
      },
    },
  },
});
