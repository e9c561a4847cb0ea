import { FastifyAdapter } from '@nestjs/platform-fastify';

/**
 * Puts Nest onto the server that createHttpServer made, with that server's own answers to unknown paths and errors:
 * there is one envelope, whoever throws.
 */
export class MountedAdapter extends FastifyAdapter {
  override setNotFoundHandler(): void {
    // The server's own stays.
  }

  override setErrorHandler(): void {
    // The server's own stays.
  }
}
