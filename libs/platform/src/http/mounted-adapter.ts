import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';

/**
 * Puts Nest onto the server that createHttpServer made, with that server's own answers to unknown paths and errors:
 * there is one envelope, whoever throws.
 */
export class MountedAdapter extends FastifyAdapter {
  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance();
  }

  override setErrorHandler(): FastifyInstance {
    return this.getInstance();
  }
}
