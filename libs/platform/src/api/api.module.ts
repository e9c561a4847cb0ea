import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { limitBodies } from '../http/limit-bodies';
import { type Logger } from '../observability/logger';
import { Authentication } from './callers/authentication';
import { type AccessTokenReader, type CallerDirectory } from './callers/caller-directory';
import { OperatorToken } from './callers/operator-guard';
import { DOCUMENT_OPTIONS, DocumentSource } from './document/document-source';
import { type DocumentedRoutes } from './document/documented-routes';
import { OpenApiController } from './document/openapi.controller';
import { logRequests } from './log-requests';
import { ReferenceController } from './reference/reference.controller';

export interface ApiRuntime {
  readonly server: FastifyInstance;
  readonly logger: Logger;
  readonly baseUrl: string;
  readonly directory: CallerDirectory;
  readonly accessTokens: AccessTokenReader;
  /** SHA-256 of the operator's token, once it is asked for. */
  readonly platformTokenSha256: () => Promise<Buffer>;
  /** What the document tells of routes that no resource declares. */
  readonly otherRoutes?: readonly DocumentedRoutes[];
  /** Of services that are processes of their own: the document tells of their resources too. */
  readonly otherControllers?: readonly Type[];
}

const BODY_MAX_BYTES = 1024 * 1024;

/** What every service with routes of the management API shares: callers, and the document. Imported once a process. */
@Module({})
export class ApiModule {
  static register({
    server,
    logger,
    baseUrl,
    otherRoutes = [],
    otherControllers = [],
    ...runtime
  }: ApiRuntime): DynamicModule {
    limitBodies(server, '/api/', BODY_MAX_BYTES);
    limitBodies(server, '/platform/', BODY_MAX_BYTES);
    logRequests(server, logger);
    return {
      module: ApiModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [OpenApiController, ReferenceController],
      providers: [
        { provide: DOCUMENT_OPTIONS, useValue: { baseUrl, otherRoutes, otherControllers } },
        DocumentSource,
        {
          provide: Authentication,
          useFactory: () => new Authentication(runtime.directory, runtime.accessTokens),
        },
        { provide: OperatorToken, useFactory: () => new OperatorToken(runtime.platformTokenSha256) },
      ],
      exports: [Authentication, OperatorToken],
    };
  }
}
