import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { type KnownCallers } from '@svc/identity';
import { limitBodies, type Logger } from '@svc/platform';
import { Authentication } from './callers/authentication';
import { OperatorToken } from './callers/operator-guard';
import { DOCUMENT_OPTIONS, DocumentSource } from './document/document-source';
import { type DocumentedRoutes } from './document/documented-routes';
import { OpenApiController } from './document/openapi.controller';
import { logRequests } from './log-requests';
import { ReferenceController } from './reference/reference.controller';
import { type ResourceDeclaration } from './resource-declaration';

export interface ApiRuntime extends KnownCallers {
  readonly server: FastifyInstance;
  readonly logger: Logger;
  readonly baseUrl: string;
  /** SHA-256 of the operator's token, read on first use. */
  readonly platformTokenSha256: () => Promise<Buffer>;
  /** Descriptions of routes that no resource declares. */
  readonly otherRoutes?: readonly DocumentedRoutes[];
  /** Resources of other processes, which the document describes too. */
  readonly otherResources?: readonly ResourceDeclaration[];
}

const BODY_MAX_BYTES = 1024 * 1024;

/** What all services with routes of the management API share: callers and the document. Imported once per process. */
@Module({})
export class ApiModule {
  static register({
    server,
    logger,
    baseUrl,
    otherRoutes = [],
    otherResources = [],
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
        { provide: DOCUMENT_OPTIONS, useValue: { baseUrl, otherRoutes, otherResources } },
        DocumentSource,
        { provide: Authentication, useFactory: () => new Authentication(runtime) },
        { provide: OperatorToken, useFactory: () => new OperatorToken(runtime.platformTokenSha256) },
      ],
      exports: [Authentication, OperatorToken],
    };
  }
}
