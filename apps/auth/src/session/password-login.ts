import { type UserRecord, type UserStore } from '@svc/access/store';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { GatewayError } from '@svc/kernel';
import { type FailureThrottle } from '../throttle/failure-throttle';
import { isPasswordOf } from './password';

export interface Login {
  /** Lower case. */
  readonly email: string;
  readonly password: string;
  /** The caller's IP address. */
  readonly address: string;
  readonly requestId: string;
}

/** Identifies users by e-mail address and password. */
export class PasswordLogin {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly users: UserStore,
    private readonly throttle: FailureThrottle,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.logins = new Counter({
      name: 'svc_logins_total',
      help: 'Logins with a password by how they ended.',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /**
   * @returns null for a wrong password, an unknown account and one without a password alike, after the same time.
   * @throws GatewayError `rateLimit` after too many failures.
   */
  async judge(login: Login): Promise<UserRecord | null> {
    const guess = await this.begin(login);
    const user = await this.users.findByEmail(login.email);
    if (await isPasswordOf(user?.passwordHash ?? null, login.password)) {
      await guess.succeeded();
      this.note('succeeded', login, user);
      return user;
    }
    this.note('refused', login, user);
    return null;
  }

  private async begin(login: Login) {
    try {
      return await this.throttle.begin(login.email, login.address);
    } catch (error) {
      if (error instanceof GatewayError) this.note('throttled', login, null);
      throw error;
    }
  }

  private note(outcome: 'succeeded' | 'refused' | 'throttled', login: Login, user: UserRecord | null): void {
    this.logins.inc({ outcome });
    this.logger.info(
      { request_id: login.requestId, user_id: user?.id, address: login.address, outcome },
      'login',
    );
  }
}
