import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { type ApprovedCallQueue } from '@svc/approvals';
import { type KnownCallers } from '@svc/access';
import { clientAddressReader } from '@svc/http';
import { RepeatingTask, systemClock } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { APPROVED_CALL_QUEUE, ApprovedCalls } from './approved-calls/approved-calls';
import { Authentication } from './callers/authentication';
import { CallerBuckets } from './callers/caller-buckets';
import { OperatorGuesses } from './callers/operator-guesses';
import { OperatorToken } from './callers/operator-guard';
import { DOCUMENT_OPTIONS, DocumentSource } from './document/document-source';
import { type DocumentedRoutes } from './document/documented-routes';
import { OpenApiController } from './document/openapi.controller';
import { refuseUnnamedCallers } from './callers/unnamed-callers';
import { logRequests } from './log-requests';
import { ReferenceController } from './reference/reference.controller';
import { type ResourceDeclaration } from './resource-declaration';

export interface ApiRuntime extends KnownCallers {
  readonly server: FastifyInstance;
  readonly logger: Logger;
  readonly baseUrl: string;
  /** SHA-256 of the operator's token, read on first use. */
  readonly platformTokenSha256: () => Promise<Buffer>;
  /** Management calls of one caller a minute (`SVC_MANAGEMENT_RPM`). Absent: without bound. */
  readonly managementCallsPerMinute?: number | null;
  /** Where approved calls of this process's routes wait to be made. */
  readonly approvedCalls: ApprovedCallQueue;
  /** Descriptions of routes that no resource declares. */
  readonly otherRoutes?: readonly DocumentedRoutes[];
  /** Resources of other processes, which the document describes too. */
  readonly otherResources?: readonly ResourceDeclaration[];
}

/** How often the process looks for an approved call. */
const EXECUTE_EVERY_MS = 500;

/** The parts that all services with routes of the management API share: callers and the document. Imported once per process. */
@Module({})
export class ApiModule {
  static register({
    server,
    logger,
    baseUrl,
    otherRoutes = [],
    otherResources = [],
    approvedCalls,
    managementCallsPerMinute = null,
    ...runtime
  }: ApiRuntime): DynamicModule {
    refuseUnnamedCallers(server);
    logRequests(server, logger);
    return {
      module: ApiModule,
      global: true,
      imports: [DiscoveryModule],
      controllers: [OpenApiController, ReferenceController],
      providers: [
        { provide: DOCUMENT_OPTIONS, useValue: { baseUrl, otherRoutes, otherResources } },
        DocumentSource,
        {
          provide: Authentication,
          useFactory: () => new Authentication(runtime, clientAddressReader(server)),
        },
        {
          provide: CallerBuckets,
          useValue: new CallerBuckets({ callsPerMinute: managementCallsPerMinute, clock: systemClock }),
        },
        { provide: APPROVED_CALL_QUEUE, useValue: approvedCalls },
        ApprovedCalls,
        {
          provide: 'task:approved-calls',
          inject: [ApprovedCalls],
          useFactory: (calls: ApprovedCalls) =>
            new RepeatingTask({
              name: 'approved-calls',
              everyMs: EXECUTE_EVERY_MS,
              logger,
              isDue: () => calls.isDue(),
              run: () => calls.makeNext(),
            }),
        },
        { provide: OperatorGuesses, useValue: new OperatorGuesses(systemClock) },
        { provide: OperatorToken, useFactory: () => new OperatorToken(runtime.platformTokenSha256) },
      ],
      exports: [Authentication, CallerBuckets, OperatorGuesses, OperatorToken],
    };
  }
}
