import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';

/**
 * Puts Nest onto the server that createHttpServer made, with that server's own answers to unknown paths and errors:
 * there is one envelope, whoever throws.
 */
export class MountedAdapter extends FastifyAdapter {
  /** Without Nest's middleware: nothing here uses it, and each call would pass through its router. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance();
  }

  override setErrorHandler(): FastifyInstance {
    return this.getInstance();
  }

  /** An empty body is none, whatever type it claims: clients that set the type on every call are many. */
  override useBodyParser(
    ...[type, rawBody, options, parse]: Parameters<FastifyAdapter['useBodyParser']>
  ): void {
    const readUnlessEmpty: typeof parse = (request, body, done) => {
      if (body.length === 0) done(null, undefined);
      else parse?.(request, body, done);
    };
    super.useBodyParser(type, rawBody, options, parse && readUnlessEmpty);
  }
}
