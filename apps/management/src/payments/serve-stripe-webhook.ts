import { GatewayError } from '@svc/kernel';
import { type PaymentProvider } from '@svc/payments';
import { type Database } from '@svc/database';
import { ProviderEventStore } from '@svc/payments/store';
import { Counter, type Registry } from '@svc/runtime/observability';
import { type FastifyInstance, type FastifyRequest } from 'fastify';

interface WebhookParts {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly provider: PaymentProvider;
  readonly metrics: Registry;
}

const BODY_MAX_BYTES = 1_048_576;

/**
 * `POST /payments/stripe/webhook`: verified over the raw body, stored, answered at once. What the event is about is asked
 * of the provider later, by a worker. https://docs.stripe.com/webhooks
 */
export function serveStripeWebhook({ server, database, provider, metrics }: WebhookParts): void {
  const events = new ProviderEventStore(database);
  const results = new Counter({
    name: 'svc_payment_webhooks_total',
    help: 'Events of the payment provider, by what came of them.',
    labelNames: ['result'],
    registers: [metrics],
  });
  for (const result of ['stored', 'repeated', 'refused']) results.inc({ result }, 0);
  // A scope of its own: the parsers of the other routes would take the raw body away.
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES },
      (_request, body, parsed) => {
        parsed(null, body);
      },
    );
    scope.post('/payments/stripe/webhook', async ({ body, headers }: FastifyRequest) => {
      const signature = headers['stripe-signature'];
      const event =
        Buffer.isBuffer(body) && typeof signature === 'string' ? provider.readEvent(body, signature) : null;
      if (event === null) {
        results.inc({ result: 'refused' });
        throw new GatewayError('invalidRequest', 'The signature is wrong or too old, or this is no event.', {
          param: 'Stripe-Signature',
        });
      }
      results.inc({ result: (await events.storeProviderEvent(event)) ? 'stored' : 'repeated' });
      return { received: true };
    });
    done();
  });
}
