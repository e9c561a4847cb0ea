import { judgeAnswer, type ConfigurationSecret } from '@svc/integrations';
import { withConsoleLinks } from '@svc/kernel';
import { type Clock } from '@svc/kernel';
import {
  type ClaimedIntegrationDelivery,
  type Database,
  type EndedIntegrationAttempt,
  integrationSecretContext,
  type IntegrationSettlement,
  type LeasedIntegrationDelivery,
  queueIntegrationMails,
} from '@svc/persistence';
import { type Counter, type Logger, type Sealer } from '@svc/platform';
import { type WebhookTransport } from '../transport/webhook-transport';
import { messageCall } from './message-call';

interface IntegrationAttemptsOptions {
  readonly database: Database;
  readonly transport: Pick<WebhookTransport, 'post'>;
  readonly settlement: Pick<IntegrationSettlement, 'settle'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly ended: Counter<'kind' | 'outcome'>;
  readonly baseUrl: string;
  /** Whether a mail server is configured. */
  readonly canMail: boolean;
}

type Ended = Omit<EndedIntegrationAttempt, 'delivery'>;

const UNANSWERED = {
  durationMs: null,
  statusCode: null,
  responseExcerpt: null,
  isFinal: false,
  retryAfterSeconds: null,
};

/** Makes attempts at integrations: sends, judges the answer, settles and logs one line. */
export class IntegrationAttempts {
  constructor(private readonly options: IntegrationAttemptsOptions) {}

  /** Resolves when the attempt is settled. Never throws: an unsettled attempt is lost once its lease lapses. */
  async make(delivery: ClaimedIntegrationDelivery): Promise<void> {
    await this.end({ delivery, ...(await this.send(delivery)) });
  }

  /** Settles as failed an attempt whose process died. */
  failLost(delivery: LeasedIntegrationDelivery): Promise<void> {
    return this.end({
      delivery,
      outcome: 'worker_lost',
      isOwnFault: true,
      error: 'worker_lost',
      ...UNANSWERED,
    });
  }

  private async send(delivery: ClaimedIntegrationDelivery): Promise<Ended> {
    const { transport, clock, logger, baseUrl } = this.options;
    const { id, integrationId, kind } = delivery;
    try {
      if (kind === 'email') return await this.mail(delivery);
      const call = await messageCall(delivery, this.secretOf(delivery), { baseUrl, nowMs: clock.now() });
      const { retryAfter, ...answer } = await transport.post(call);
      const { statusCode } = answer;
      return {
        ...judgeAnswer(kind, { statusCode, retryAfter }, clock.now()),
        ...answer,
        isOwnFault: false,
      };
    } catch (error) {
      logger.error({ delivery_id: id, integration_id: integrationId, err: error }, 'message not sent');
      return { outcome: 'failed', isOwnFault: true, error: 'not_sent', ...UNANSWERED };
    }
  }

  /** Hands the message to the queue of mails, which has a schedule of its own. */
  private async mail({
    id,
    round,
    organizationId,
    config,
    body,
  }: ClaimedIntegrationDelivery): Promise<Ended> {
    const { database, canMail, baseUrl } = this.options;
    if (!canMail) return { outcome: 'failed', isOwnFault: true, error: 'not_configured', ...UNANSWERED };
    const toldCount = await queueIntegrationMails(database, {
      deliveryId: id,
      round,
      organizationId,
      memberIds: config.member_ids as readonly string[],
      roles: config.roles as readonly string[],
      ...(JSON.parse(withConsoleLinks(body, baseUrl)) as { readonly subject: string; readonly text: string }),
    });
    return toldCount > 0
      ? { outcome: 'acknowledged', isOwnFault: false, error: null, ...UNANSWERED }
      : { outcome: 'failed', isOwnFault: false, error: 'no_recipients', ...UNANSWERED };
  }

  /** Opened just before it is used. */
  private secretOf({ integrationId, sealedSecret }: ClaimedIntegrationDelivery): ConfigurationSecret {
    if (sealedSecret === null) return {};
    const opened = this.options.sealer.open(sealedSecret, integrationSecretContext(integrationId));
    return JSON.parse(opened.toString()) as ConfigurationSecret;
  }

  private async end(attempt: EndedIntegrationAttempt): Promise<void> {
    const { settlement, logger, ended } = this.options;
    const { delivery, outcome, statusCode, error, durationMs } = attempt;
    const line = {
      delivery_id: delivery.id,
      integration_id: delivery.integrationId,
      kind: delivery.kind,
      round: delivery.round,
      attempt: delivery.attemptNumber,
      outcome,
      status_code: statusCode,
      error,
      duration_ms: durationMs,
    };
    try {
      const settled = await settlement.settle(attempt);
      ended.inc({ kind: delivery.kind, outcome: settled?.status ?? 'void' });
      if (settled === null) return void logger.warn(line, 'integration attempt void: its lease was lost');
      const consequence = settled.isEndpointDisabled ? { integration_disabled: true } : {};
      logger.info({ ...line, status: settled.status, ...consequence }, 'integration attempt');
    } catch (failure) {
      logger.error({ ...line, err: failure }, 'integration attempt not settled');
    }
  }
}
