import {
  CLIENT_REFUSED,
  isAuthenticClient,
  readClientAuthentication,
  type ClientAuthentication,
} from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { type OauthAppStore, type OauthClientRecord } from '@svc/access/store';
import { Counter, type Logger, type Registry } from '@svc/runtime/observability';
import { type FailureThrottle } from '../throttle/failure-throttle';

/** A client's credentials, and where it calls from. */
interface ShownClient {
  readonly authorization: string | undefined;
  /** The form's or the JSON's fields. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly requestId: string;
}

type AuthenticationMethod = ClientAuthentication['method'];

/** An error with the scheme that the client used: for Basic the answer names it (RFC 6749 section 5.2). */
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

/** Identifies the calling app by its client id and secret (docs/reference/oauth.md#client-authentication). */
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
    const subject = read.kind === 'client' ? read.clientId : NO_CLIENT;
    const authentic = read.kind === 'client' && app !== null && isAuthenticClient(app, read.clientSecret);
    await this.throttle.judged(subject, shown.address, authentic).catch((error: unknown) => {
      throw error instanceof GatewayError ? new ClientRefused(error, read.method) : error;
    });
    if (authentic) return app;
    this.refusals.inc();
    const { requestId, address } = shown;
    this.logger.info({ request_id: requestId, app_id: app?.id, address }, 'oauth client refused');
    throw new ClientRefused(new GatewayError('invalidClient', CLIENT_REFUSED), read.method);
  }
}
