import { type DynamicModule, Module } from '@nestjs/common';
import { Mutations } from '@svc/approvals/store';
import { AuditLog, UnitOfWork } from '@svc/database';
import { createSealer, systemClock, systemIds } from '@svc/runtime';
import { AccessTokenSigner, AccessTokenVerifier } from '@svc/access/access-tokens';
import {
  AuthorizationCodeStore,
  GrantStore,
  OauthAppStore,
  SigningKeyStore,
  TokenStore,
} from '@svc/access/store';
import { AuthorizeController } from './authorize/authorize.controller';
import { Consents } from './consent/consents';
import { Grants } from './grants/grants';
import { OrganizationGrantsController } from './grants/organization-grants.controller';
import { UserGrantsController } from './grants/user-grants.controller';
import { MetadataController } from './metadata/metadata.controller';
import { OauthApps } from './oauth-apps/oauth-apps';
import { OauthAppsController } from './oauth-apps/oauth-apps.controller';
import { RevokeController } from './revoke/revoke.controller';
import { TokenRevocation } from './revoke/token-revocation';
import { answerUnreadableRevocations } from './revoke/unreadable-revocations';
import { type AuthRuntime, BASE_URL, LOGGER } from './runtime';
import { ScopesController } from './scopes/scopes.controller';
import { ConsoleSessions } from './session/console-sessions';
import { SigningKeyRotation } from './signing-keys/signing-key-rotation';
import { SigningKeysController } from './signing-keys/signing-keys.controller';
import { type FailureThrottle } from './throttle/failure-throttle';
import { ClientAuthenticator } from './token/client-authenticator';
import { TokenController } from './token/token.controller';
import { TokenIssuer } from './token/token-issuer';
import { TokenRequests } from './token/token-requests';
import { keepOutOfCaches } from './token/uncached-answers';
import { UserinfoController } from './userinfo/userinfo.controller';

/** The parts that it shares with the login pages. */
interface OauthRuntime extends AuthRuntime {
  readonly sessions: ConsoleSessions;
  readonly throttle: FailureThrottle;
}

const controllers = [
  AuthorizeController,
  TokenController,
  RevokeController,
  UserinfoController,
  ScopesController,
  UserGrantsController,
  OrganizationGrantsController,
  OauthAppsController,
  MetadataController,
  SigningKeysController,
];

/** The authorization server for apps that act for members (docs/reference/oauth.md). */
@Module({})
export class OauthModule {
  static register(runtime: OauthRuntime): DynamicModule {
    const { server, database, logger, baseUrl, clock = systemClock } = runtime;
    keepOutOfCaches(server, '/api/v1/oauth/token');
    answerUnreadableRevocations(server, '/api/v1/oauth/revoke');
    const grants = new GrantStore(database);
    const apps = new OauthAppStore(database);
    const keys = new SigningKeyStore(database, createSealer(runtime.masterKey));
    return {
      module: OauthModule,
      controllers,
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: BASE_URL, useValue: baseUrl },
        { provide: ConsoleSessions, useValue: runtime.sessions },
        {
          provide: Mutations,
          useValue: new Mutations(database, {
            sealer: createSealer(runtime.masterKey),
            newId: systemIds,
            clock,
          }),
        },
        { provide: GrantStore, useValue: grants },
        { provide: OauthAppStore, useValue: apps },
        { provide: SigningKeyStore, useValue: keys },
        { provide: SigningKeyRotation, useValue: new SigningKeyRotation(keys, { database, logger }) },
        {
          provide: ClientAuthenticator,
          useValue: new ClientAuthenticator(apps, runtime.throttle, logger, runtime.metrics),
        },
        { provide: Consents, useValue: consentsOf(runtime, grants) },
        { provide: TokenRequests, useValue: tokenRequestsOf(runtime, keys) },
        { provide: TokenRevocation, useValue: tokenRevocationOf(runtime, keys) },
        Grants,
        OauthApps,
      ],
    };
  }
}

function consentsOf({ database, clock = systemClock }: AuthRuntime, grants: GrantStore): Consents {
  return new Consents({
    unitOfWork: new UnitOfWork(database),
    grants,
    codes: new AuthorizationCodeStore(),
    auditLog: new AuditLog(database),
    clock,
    newId: systemIds,
  });
}

function tokenRequestsOf(runtime: AuthRuntime, keys: SigningKeyStore): TokenRequests {
  const { database, baseUrl, clock = systemClock } = runtime;
  const tokens = new TokenStore(database);
  return new TokenRequests({
    unitOfWork: new UnitOfWork(database),
    codes: new AuthorizationCodeStore(),
    tokens,
    signer: new AccessTokenSigner(keys, clock),
    issuer: new TokenIssuer(tokens, clock, baseUrl),
    auditLog: new AuditLog(database),
    clock,
  });
}

function tokenRevocationOf(runtime: AuthRuntime, keys: SigningKeyStore): TokenRevocation {
  const { database, baseUrl, clock = systemClock } = runtime;
  return new TokenRevocation({
    unitOfWork: new UnitOfWork(database),
    tokens: new TokenStore(database),
    verifier: new AccessTokenVerifier({ keys, clock, issuer: baseUrl, audience: baseUrl }),
    auditLog: new AuditLog(database),
    clock,
  });
}
