import { type IncomingMessage, type ServerResponse } from 'node:http';
import { collectBody } from '../body/collect-body';
import { Refusal } from '../refusal';
import { checkoutPage } from './checkout-page';
import { StripeAccount, type Alteration } from './stripe-account';
import { type Session } from './stripe-objects';
import { StripeWebhook, type Disturbance } from './stripe-webhook';

/** A call of the API, of the checkout page, or of the simulator's own controls. */
interface StripeCall {
  readonly id: string;
  readonly query: URLSearchParams;
  /** Of a form, with names as Stripe's library writes them: `metadata[payment_id]`. */
  readonly form: URLSearchParams;
  readonly idempotencyKey: string | undefined;
  readonly origin: string;
}

type Answer = { readonly json: object } | { readonly page: string } | { readonly seeOther: string };
type Handler = (call: StripeCall) => Answer;

/** The part of Stripe's API that the service uses, over an account in memory (https://docs.stripe.com/api). */
export class SimulatedStripe {
  private readonly webhook: StripeWebhook;
  private readonly account: StripeAccount;
  private readonly routes: readonly (readonly [RegExp, Handler])[];

  /** @param webhookUrl where its events go; null: nowhere. */
  constructor(webhookUrl: string | null) {
    this.webhook = new StripeWebhook(webhookUrl);
    this.account = new StripeAccount(this.webhook);
    this.routes = [...this.api(), ...this.pages(), ...this.controls()];
  }

  /** @returns false for a path of another API. */
  serve(route: string, incoming: IncomingMessage, response: ServerResponse): boolean {
    const found = this.routes.find(([pattern]) => pattern.test(route));
    if (found === undefined) return false;
    const [pattern, handler] = found;
    const id = pattern.exec(route)?.[1] ?? '';
    readCall(incoming, id).then(
      (call) => {
        answer(response, handler, call);
      },
      () => response.destroy(),
    );
    return true;
  }

  close(): void {
    this.webhook.close();
  }

  private api(): readonly (readonly [RegExp, Handler])[] {
    const { account } = this;
    return [
      [/^POST \/v1\/checkout\/sessions$/, (call) => ({ json: this.openSession(call) })],
      [/^GET \/v1\/checkout\/sessions\/(\w+)$/, ({ id }) => ({ json: account.session(id) })],
      [
        /^POST \/v1\/checkout\/sessions\/(\w+)\/expire$/,
        ({ id }) => ({ json: account.expire(account.session(id)) }),
      ],
      [/^GET \/v1\/payment_intents\/(\w+)$/, ({ id }) => ({ json: account.byIntent(id).payment_intent })],
      [
        /^POST \/v1\/refunds$/,
        ({ form, idempotencyKey }) => {
          const session = account.byIntent(form.get('payment_intent') ?? '');
          return {
            json: account.once(idempotencyKey, () => account.refund(session, Number(form.get('amount')))),
          };
        },
      ],
      [
        /^GET \/v1\/disputes$/,
        ({ query }) => ({
          json: {
            object: 'list',
            has_more: false,
            data: account.disputesOf(query.get('payment_intent') ?? ''),
          },
        }),
      ],
    ];
  }

  private openSession({ form, idempotencyKey, origin }: StripeCall): object {
    const { account } = this;
    const price = 'line_items[0][price_data]';
    const fields = {
      amount: Number(form.get(`${price}[unit_amount]`)),
      currency: form.get(`${price}[currency]`) ?? '',
      metadata: { payment_id: form.get('metadata[payment_id]') ?? '' },
      successUrl: form.get('success_url') ?? '',
      cancelUrl: form.get('cancel_url'),
    };
    return account.once(idempotencyKey, () => account.open(fields, (id) => `${origin}/checkout/${id}`));
  }

  private pages(): readonly (readonly [RegExp, Handler])[] {
    const { account } = this;
    return [
      [/^GET \/checkout\/(\w+)$/, ({ id }) => ({ page: checkoutPage(account.session(id)) })],
      [
        /^POST \/checkout\/(\w+)$/,
        ({ id, form }) => {
          const session = account.session(id);
          const action = form.get('action');
          if (action === 'pay') account.pay(session);
          if (action === 'decline') account.decline(session);
          if (action === 'later') return { seeOther: session.cancel_url ?? session.success_url };
          return action === 'pay' ? { seeOther: session.success_url } : { page: checkoutPage(session) };
        },
      ],
    ];
  }

  /** What specs tell it: how events travel, what is paid instead, and what the payer's bank does. */
  private controls(): readonly (readonly [RegExp, Handler])[] {
    const { account } = this;
    const control = (verb: string, act: (session: Session, cents: number) => object) =>
      [
        new RegExp(`^POST /__simulator/payments/(\\w+)/${verb}$`),
        ({ id, form }: StripeCall) => {
          const session = account.byPayment(id);
          return { json: act(session, Number(form.get('cents') ?? session.amount_total)) };
        },
      ] as const;
    return [
      [
        /^PUT \/__simulator\/payments$/,
        ({ form }) => {
          const told = JSON.parse(form.get('settings') ?? '{}') as Disturbance & {
            readonly alter?: Alteration;
          };
          const { alter = {}, ...disturbance } = told;
          account.alteration = alter;
          this.webhook.disturbance = disturbance;
          return { json: told };
        },
      ],
      control('refund', (session, cents) => account.refund(session, cents)),
      control('dispute', (session, cents) => account.dispute(session, cents)),
      control('dispute/won', (session) => account.endDispute(session, 'won')),
      control('dispute/lost', (session) => account.endDispute(session, 'lost')),
    ];
  }
}

async function readCall(incoming: IncomingMessage, id: string): Promise<StripeCall> {
  const { 'idempotency-key': key, host = '127.0.0.1' } = incoming.headers;
  const origin = `http://${host}`;
  return {
    id,
    query: new URL(incoming.url ?? '/', origin).searchParams,
    form: new URLSearchParams((await collectBody(incoming)).toString()),
    idempotencyKey: typeof key === 'string' ? key : undefined,
    origin,
  };
}

function answer(response: ServerResponse, handler: Handler, call: StripeCall): void {
  const marked = { 'x-svc-simulator': '1' };
  try {
    const given = handler(call);
    if ('seeOther' in given) response.writeHead(303, { ...marked, location: given.seeOther }).end();
    else if ('page' in given) {
      response.writeHead(200, { ...marked, 'content-type': 'text/html; charset=utf-8' }).end(given.page);
    } else {
      response
        .writeHead(200, { ...marked, 'content-type': 'application/json' })
        .end(JSON.stringify(given.json));
    }
  } catch (error) {
    const { status, message, code } =
      error instanceof Refusal ? error : new Refusal(400, 'This was not understood.');
    const body = { error: { type: 'invalid_request_error', message, ...(code === null ? {} : { code }) } };
    response.writeHead(status, { ...marked, 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
