import { type FastifyError, type FastifyInstance } from 'fastify';

/** A body that is not valid, and one of a type that no route takes. */
const UNREADABLE: readonly (number | undefined)[] = [400, 415];

/**
 * Answers an unreadable body as one without a token: 200 with `{}` (docs/reference/oauth.md#revocation). It never reaches
 * a controller. Call it before the routes are mounted.
 */
export function answerUnreadableRevocations(server: FastifyInstance, path: string): void {
  server.addHook('onRoute', (route) => {
    if (route.url !== path) return;
    route.errorHandler = (error, _, reply) => {
      // The server's own handler has every other error.
      if (!UNREADABLE.includes((error as Partial<FastifyError>).statusCode)) throw error;
      void reply.code(200).send({});
    };
  });
}
