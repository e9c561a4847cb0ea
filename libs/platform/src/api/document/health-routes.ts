import { z } from 'zod';
import { jsonAnswer, textAnswer } from './described-answers';
import { type DocumentedRoutes } from './documented-routes';
import { errorAnswers } from './error-answers';

const TAG = 'Health';

/** What the document tells of the routes that `mountHealth` mounts. */
export const healthRoutes: DocumentedRoutes = {
  isAside: true,
  tags: [{ name: TAG, description: 'For whoever runs the service.' }],
  paths: {
    '/healthz': {
      get: {
        operationId: 'getHealth',
        tags: [TAG],
        summary: 'Whether the process is alive.',
        security: [],
        responses: {
          '200': jsonAnswer('It is.', z.object({ status: z.literal('ok') })),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/readyz': {
      get: {
        operationId: 'getReadiness',
        tags: [TAG],
        summary: 'Whether all that the service depends on answers.',
        security: [],
        responses: {
          '200': jsonAnswer('All of it does.', z.object({ status: z.literal('ready') })),
          '503': jsonAnswer(
            'Some of it does not.',
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
        summary: 'Figures for Prometheus.',
        security: [],
        responses: {
          '200': textAnswer(
            'The figures.',
            'text/plain',
            '# HELP svc_calls_total Inference calls.\n# TYPE svc_calls_total counter\n',
          ),
          ...errorAnswers(['unhandled']),
        },
      },
    },
  },
};
