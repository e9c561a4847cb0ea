import {
  CLIENT_REFUSED,
  isAuthenticClient,
  readClientAuthentication,
  type ClientAuthentication,
} from '@svc/identity';
import { GatewayError } from '@svc/kernel';
import { type OauthAppStore, type OauthClientRecord } from '@svc/persistence';
import { Counter, type Logger, type Registry } from '@svc/platform';
import { type FailureThrottle } from '../throttle/failure-throttle';

/** What a client shows of itself, and where it calls from. */
export interface ShownClient {
  readonly authorization: string | undefined;
  /** The form's or the JSON's fields. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly requestId: string;
}

export type AuthenticationMethod = ClientAuthentication['method'];

/** An error together with how the client tried: for Basic the answer names that scheme (RFC 6749 section 5.2). */
export class ClientRefused extends Error {
  constructor(
    readonly answer: GatewayError,
    readonly method: AuthenticationMethod,
  ) {
    super(answer.message);
  }
}

/** The subject of guesses that name no client. */
const NO_CLIENT = 'no client';

/** Which app calls, by its client id and secret (interface.md, Authentication, rule 3). */
export class ClientAuthenticator {
  private readonly refusals: Counter;

  constructor(
    private readonly apps: OauthAppStore,
    private readonly throttle: FailureThrottle,
    private readonly logger: Logger,
    registry: Registry,
  ) {
    this.refusals = new Counter({
      name: 'svc_oauth_client_refusals_total',
      help: 'Clients that could not be authenticated.',
      registers: [registry],
    });
  }

  /** @throws ClientRefused with `invalidClient`, `invalidRequest`, or `rateLimit` after too many failures. */
  async authenticate(shown: ShownClient): Promise<OauthClientRecord> {
    const read = readClientAuthentication(shown.authorization, shown.body);
    if (read.kind === 'refuse' && read.error === 'invalid_request') {
      throw new ClientRefused(new GatewayError('invalidRequest', read.description), read.method);
    }
    const app = read.kind === 'client' ? await this.apps.findByClientId(read.clientId) : null;
    // From here to the end nothing waits, so that however many good calls at once never count as failures.
    const subject = read.kind === 'client' ? read.clientId : NO_CLIENT;
    const guess = this.begin(subject, shown.address, read.method);
    if (read.kind === 'client' && app !== null && isAuthenticClient(app, read.clientSecret)) {
      guess.succeeded();
      return app;
    }
    this.refusals.inc();
    const { requestId, address } = shown;
    this.logger.info({ request_id: requestId, app_id: app?.id, address }, 'oauth client refused');
    throw new ClientRefused(new GatewayError('invalidClient', CLIENT_REFUSED), read.method);
  }

  private begin(subject: string, address: string, method: AuthenticationMethod) {
    try {
      return this.throttle.begin(subject, address);
    } catch (error) {
      throw error instanceof GatewayError ? new ClientRefused(error, method) : error;
    }
  }
}
