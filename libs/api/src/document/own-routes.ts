import { z } from 'zod';
import { jsonAnswer, textAnswer } from './described-answers';
import { type DocumentedRoutes } from './documented-routes';
import { errorAnswers } from './error-answers';

const TAG = 'Reference';

/** The routes that describe the others. */
export const ownRoutes: DocumentedRoutes = {
  isAside: true,
  tags: [{ name: TAG, description: 'This reference, for people and for programs.' }],
  paths: {
    '/api/v1/openapi.json': {
      get: {
        operationId: 'getOpenApiDocument',
        tags: [TAG],
        summary: 'The OpenAPI 3.1 document.',
        security: [],
        responses: {
          '200': jsonAnswer('The document.', z.looseObject({ openapi: z.literal('3.1.1') })),
          ...errorAnswers(['unhandled']),
        },
      },
    },
    '/api/v1/docs': {
      get: {
        operationId: 'getReference',
        tags: [TAG],
        summary: 'The reference as a page.',
        security: [],
        responses: {
          '200': textAnswer('The page.', 'text/html', '<!doctype html>'),
          ...errorAnswers(['unhandled']),
        },
      },
    },
  },
};
