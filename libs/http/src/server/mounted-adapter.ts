import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';

/**
 * Mounts Nest on a server of `createHttpServer`. The server's handlers for unknown paths and errors stay, so that every
 * error has the same envelope.
 */
export class MountedAdapter extends FastifyAdapter {
  /** Skips Nest's middleware, which is not used and would route each call again. */
  override init(): Promise<void> {
    return Promise.resolve();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance();
  }

  override setErrorHandler(): FastifyInstance {
    return this.getInstance();
  }

  /** An empty body counts as no body, whatever its content type: many clients set the type on every call. */
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
