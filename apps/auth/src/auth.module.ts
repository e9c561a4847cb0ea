import { type DynamicModule, Module } from '@nestjs/common';
import { AuditLog, InvitationAcceptance, SessionStore, UnitOfWork, UserStore } from '@svc/persistence';
import { limitBodies, systemClock } from '@svc/platform';
import { InvitationController } from './invitations/invitation.controller';
import { Invitations } from './invitations/invitations';
import { OauthModule } from './oauth.module';
import { type AuthRuntime, BASE_URL, LOGGER } from './runtime';
import { ConsoleSessions } from './session/console-sessions';
import { Cookies } from './session/cookies';
import { FormSeal } from './session/form-seal';
import { PasswordLogin } from './session/password-login';
import { SessionController } from './session/session.controller';
import { FailureThrottle } from './throttle/failure-throttle';

const FORM_MAX_BYTES = 64 * 1024;

/** Who people are, and what they let others do for them: the pages under `/auth`. */
@Module({})
export class AuthModule {
  static register(runtime: AuthRuntime): DynamicModule {
    const { server, database, logger, metrics, baseUrl, clock = systemClock } = runtime;
    limitBodies(server, '/auth/', FORM_MAX_BYTES);
    const cookies = new Cookies(new URL(baseUrl).protocol === 'https:');
    const users = new UserStore(database);
    const sessions = new ConsoleSessions(new SessionStore(database), cookies, clock);
    const throttle = new FailureThrottle(clock);
    const logins = new PasswordLogin(users, throttle, logger, metrics);
    const invitations = new Invitations({
      unitOfWork: new UnitOfWork(database),
      acceptance: new InvitationAcceptance(database),
      users,
      auditLog: new AuditLog(database),
      clock,
    });
    return {
      module: AuthModule,
      imports: [OauthModule.register({ ...runtime, sessions, throttle })],
      controllers: [SessionController, InvitationController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: BASE_URL, useValue: baseUrl },
        { provide: UserStore, useValue: users },
        { provide: ConsoleSessions, useValue: sessions },
        { provide: PasswordLogin, useValue: logins },
        { provide: FormSeal, useValue: new FormSeal(cookies) },
        { provide: Invitations, useValue: invitations },
      ],
    };
  }
}
