import { type DynamicModule, Module } from '@nestjs/common';
import {
  FailedGuessStore,
  InvitationAcceptance,
  PasswordStore,
  SessionStore,
  UserSessionStore,
  UserStore,
} from '@svc/access/store';
import { AuditLog, UnitOfWork } from '@svc/database';
import { limitBodies } from '@svc/http';
import { systemClock } from '@svc/runtime';
import { AccountController } from './account/account.controller';
import { OwnSessionsController } from './account/own-sessions.controller';
import { PasswordChange } from './account/password-change';
import { UserSessions } from './account/user-sessions';
import { InvitationController } from './invitations/invitation.controller';
import { Invitations } from './invitations/invitations';
import { OauthModule } from './oauth.module';
import { PasswordChangedMail } from './mails/password-changed-mail';
import { PasswordResetMail } from './password-reset/password-reset-mail';
import { PasswordResetController } from './password-reset/password-reset.controller';
import { PasswordResets } from './password-reset/password-resets';
import { type AuthRuntime, BASE_URL, LOGGER, SENDS_MAIL } from './runtime';
import { ConsoleSessions } from './session/console-sessions';
import { Cookies } from './session/cookies';
import { FormSeal } from './session/form-seal';
import { OwnSession } from './session/own-session';
import { PasswordLogin } from './session/password-login';
import { SessionController } from './session/session.controller';
import { FailureThrottle } from './throttle/failure-throttle';
import { MailThrottle } from './throttle/mail-throttle';

const FORM_MAX_BYTES = 64 * 1024;

/** Login, accounts and consents for apps: the pages under `/auth`. */
@Module({})
export class AuthModule {
  static register(runtime: AuthRuntime): DynamicModule {
    const { server, database, logger, metrics, mailer, baseUrl, clock = systemClock } = runtime;
    limitBodies(server, '/auth/', FORM_MAX_BYTES);
    const cookies = new Cookies(new URL(baseUrl).protocol === 'https:');
    const users = new UserStore(database);
    const sessions = new ConsoleSessions(new SessionStore(database), cookies, clock);
    const guesses = new FailedGuessStore(database);
    const throttle = new FailureThrottle(guesses);
    const logins = new PasswordLogin(users, throttle, logger, metrics);
    const changes = {
      unitOfWork: new UnitOfWork(database),
      passwords: new PasswordStore(database),
      users,
      auditLog: new AuditLog(database),
      clock,
    };
    const invitations = new Invitations({ ...changes, acceptance: new InvitationAcceptance(database) });
    const changedMail = new PasswordChangedMail({ mailer, logger, clock, baseUrl });
    return {
      module: AuthModule,
      imports: [OauthModule.register({ ...runtime, sessions, throttle })],
      controllers: [
        SessionController,
        AccountController,
        OwnSessionsController,
        PasswordResetController,
        InvitationController,
      ],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: BASE_URL, useValue: baseUrl },
        { provide: SENDS_MAIL, useValue: mailer !== undefined },
        { provide: UserStore, useValue: users },
        { provide: ConsoleSessions, useValue: sessions },
        { provide: PasswordLogin, useValue: logins },
        { provide: FormSeal, useValue: new FormSeal(cookies, baseUrl) },
        { provide: Invitations, useValue: invitations },
        { provide: FailureThrottle, useValue: throttle },
        { provide: MailThrottle, useValue: new MailThrottle(guesses) },
        { provide: OwnSession, useValue: new OwnSession(sessions, baseUrl) },
        { provide: UserSessions, useValue: new UserSessions(new UserSessionStore(database), clock) },
        { provide: PasswordChangedMail, useValue: changedMail },
        { provide: PasswordChange, useValue: new PasswordChange({ ...changes, logins, mail: changedMail }) },
        { provide: PasswordResets, useValue: new PasswordResets({ ...changes, mail: changedMail }) },
        {
          provide: PasswordResetMail,
          useValue: new PasswordResetMail({ ...changes, mailer, logger, baseUrl }),
        },
      ],
    };
  }
}
