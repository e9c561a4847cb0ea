import { judgeAnswer, type ConfigurationSecret } from '@svc/deliveries';
import { withConsoleLinks, type Clock } from '@svc/kernel';
import { type Database } from '@svc/database';
import {
  type ClaimedIntegrationDelivery,
  type EndedAttempt,
  integrationSecretContext,
  type LeasedIntegrationDelivery,
  queueIntegrationMails,
  type SettledDelivery,
} from '@svc/deliveries/store';
import { type Sealer } from '@svc/runtime';
import { type Counter } from '@svc/runtime/observability';
import { type AttemptEnd, type DeliveryChannel, UNANSWERED } from '../delivery/delivery-channel';
import { type WebhookTransport } from '../transport/webhook-transport';
import { messageCall } from './message-call';

interface IntegrationChannelOptions {
  readonly database: Database;
  readonly transport: Pick<WebhookTransport, 'post'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly ended: Counter<'kind' | 'outcome'>;
  readonly baseUrl: string;
  /** True where a mail server is configured. */
  readonly canMail: boolean;
}

/** Completes and sends messages to integrations, and judges what is answered. */
export class IntegrationChannel implements DeliveryChannel<
  LeasedIntegrationDelivery,
  ClaimedIntegrationDelivery
> {
  readonly noun = 'integration';
  readonly receiver = 'integration';

  constructor(private readonly options: IntegrationChannelOptions) {}

  async send(delivery: ClaimedIntegrationDelivery): Promise<AttemptEnd> {
    const { transport, clock, baseUrl } = this.options;
    const { kind } = delivery;
    if (kind === 'email') return this.mail(delivery);
    const call = await messageCall(delivery, this.secretOf(delivery), { baseUrl, nowMs: clock.now() });
    const { retryAfter, ...answer } = await transport.post(call);
    const { statusCode } = answer;
    return { ...judgeAnswer(kind, { statusCode, retryAfter }, clock.now()), ...answer, isOwnFault: false };
  }

  fieldsOf({ kind }: LeasedIntegrationDelivery): Readonly<Record<string, unknown>> {
    return { kind };
  }

  observeEnd(
    { delivery: { kind } }: EndedAttempt<LeasedIntegrationDelivery>,
    settled: SettledDelivery | null,
  ): void {
    this.options.ended.inc({ kind, outcome: settled?.status ?? 'void' });
  }

  /** Hands the message to the queue of mails, which has a schedule of its own. */
  private async mail({
    id,
    round,
    organizationId,
    config,
    body,
  }: ClaimedIntegrationDelivery): Promise<AttemptEnd> {
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
  private secretOf({ receiverId, sealedSecret }: ClaimedIntegrationDelivery): ConfigurationSecret {
    if (sealedSecret === null) return {};
    const opened = this.options.sealer.open(sealedSecret, integrationSecretContext(receiverId));
    return JSON.parse(opened.toString()) as ConfigurationSecret;
  }
}
