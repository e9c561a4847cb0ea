import { type IncomingMessage, type ServerResponse } from 'node:http';
import { collectBody } from '../body/collect-body';
import { Refusal } from '../refusal';
import { checkoutPage, setupPage } from './checkout-page';
import { StripeAccount, type Alteration, type Outcome } from './stripe-account';
import { StripeCards } from './stripe-cards';
import { type Session, type SetupSession } from './stripe-objects';
import { StripeWebhook, type Disturbance, type WebhookTarget } from './stripe-webhook';

/** A call of the API, of the checkout page, or of the simulator's own controls. */
interface StripeCall {
  readonly id: string;
  readonly query: URLSearchParams;
  /** Of a form, with names as Stripe's library writes them: `metadata[payment_id]`. */
  readonly form: URLSearchParams;
  readonly idempotencyKey: string | undefined;
  readonly origin: string;
}

type Answer =
  | { readonly json: object; readonly status?: number }
  | { readonly page: string }
  | { readonly seeOther: string };
type Handler = (call: StripeCall) => Answer;

/** The part of Stripe's API that the service uses, over an account in memory (https://docs.stripe.com/api). */
export class SimulatedStripe {
  private readonly webhook: StripeWebhook;
  private readonly cards: StripeCards;
  private readonly account: StripeAccount;
  private readonly routes: readonly (readonly [RegExp, Handler])[];

  /** @param target where its events go; null: nowhere. */
  constructor(target: WebhookTarget | null) {
    this.webhook = new StripeWebhook(target);
    this.cards = new StripeCards(this.webhook);
    this.account = new StripeAccount(this.webhook, this.cards);
    this.routes = [...this.api(), ...this.cardApi(), ...this.pages(), ...this.controls()];
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
      [
        /^GET \/v1\/checkout\/sessions\/(\w+)$/,
        ({ id }) => ({ json: this.cards.setup(id) ?? account.session(id) }),
      ],
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

  private cardApi(): readonly (readonly [RegExp, Handler])[] {
    const { account, cards } = this;
    return [
      [
        /^POST \/v1\/customers$/,
        ({ form, idempotencyKey }) => {
          const metadata = { organization_id: form.get('metadata[organization_id]') ?? '' };
          return { json: account.once(idempotencyKey, () => cards.newCustomer(metadata)) };
        },
      ],
      [/^POST \/v1\/payment_methods\/(\w+)\/detach$/, ({ id }) => ({ json: cards.detach(id) })],
      [/^POST \/v1\/payment_intents$/, (call) => this.charge(call)],
      [
        /^POST \/v1\/payment_intents\/(\w+)\/cancel$/,
        ({ id }) => ({ json: account.cancelIntent(account.byIntent(id)).payment_intent }),
      ],
    ];
  }

  /** https://docs.stripe.com/api/payment_intents/create with `off_session` and `confirm`. */
  private charge({ form, idempotencyKey }: StripeCall): Answer {
    const { account, cards } = this;
    const customer = form.get('customer') ?? '';
    const charged = account.once(idempotencyKey, () => {
      const card = cards.cardOf(customer, form.get('payment_method') ?? '');
      const metadata = { payment_id: form.get('metadata[payment_id]') ?? '' };
      const [amount, currency] = [Number(form.get('amount')), form.get('currency') ?? ''];
      return account.charge({ amount, currency, metadata, customer, card }).payment_intent;
    }) as Session['payment_intent'];
    const { last_payment_error: error } = charged;
    if (error === null) return { json: charged };
    const message = 'The card was declined.';
    return { status: 402, json: { error: { ...error, message, payment_intent: charged } } };
  }

  private openSession({ form, idempotencyKey, origin }: StripeCall): object {
    const { account } = this;
    const pageUrl = (id: string) => `${origin}/checkout/${id}`;
    const returns = { successUrl: form.get('success_url') ?? '', cancelUrl: form.get('cancel_url') };
    const customer = form.get('customer');
    if (form.get('mode') === 'setup') {
      const metadata = { payment_method_id: form.get('metadata[payment_method_id]') ?? '' };
      const setup = { customer: customer ?? '', metadata, ...returns };
      return account.once(idempotencyKey, () => this.cards.open(setup, pageUrl));
    }
    const price = 'line_items[0][price_data]';
    const fields = {
      amount: Number(form.get(`${price}[unit_amount]`)),
      currency: form.get(`${price}[currency]`) ?? '',
      metadata: { payment_id: form.get('metadata[payment_id]') ?? '' },
      ...returns,
      customer,
      isSaved: form.get('payment_intent_data[setup_future_usage]') === 'off_session',
    };
    return account.once(idempotencyKey, () => account.open(fields, pageUrl));
  }

  private pages(): readonly (readonly [RegExp, Handler])[] {
    const { account } = this;
    return [
      [
        /^GET \/checkout\/(\w+)$/,
        ({ id }) => {
          const setup = this.cards.setup(id);
          return { page: setup === undefined ? checkoutPage(account.session(id)) : setupPage(setup) };
        },
      ],
      [
        /^POST \/checkout\/(\w+)$/,
        ({ id, form }) => {
          const action = form.get('action');
          const setup = this.cards.setup(id);
          if (setup !== undefined) return this.enterCard(setup, action);
          const session = account.session(id);
          if (action === 'pay') account.pay(session);
          if (action === 'decline') account.decline(session);
          if (action === 'later') return { seeOther: session.cancel_url ?? session.success_url };
          return action === 'pay' ? { seeOther: session.success_url } : { page: checkoutPage(session) };
        },
      ],
    ];
  }

  private enterCard(setup: SetupSession, action: string | null): Answer {
    if (action === 'later') return { seeOther: setup.cancel_url ?? setup.success_url };
    if (action === 'decline') return { page: setupPage(setup, 'The card was declined. You can try again.') };
    if (action === 'pay') this.cards.save(setup);
    return setup.status === 'complete' ? { seeOther: setup.success_url } : { page: setupPage(setup) };
  }

  /** Controls of specs: how events travel, what is paid instead, and how the payer's bank answers. */
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
            readonly off_session?: Outcome;
          };
          const { alter = {}, off_session = 'pay', ...disturbance } = told;
          account.alteration = alter;
          account.offSession = off_session;
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
        .writeHead(given.status ?? 200, { ...marked, 'content-type': 'application/json' })
        .end(JSON.stringify(given.json));
    }
  } catch (error) {
    const { status, message, code } =
      error instanceof Refusal ? error : new Refusal(400, 'This was not understood.');
    const body = { error: { type: 'invalid_request_error', message, ...(code === null ? {} : { code }) } };
    response.writeHead(status, { ...marked, 'content-type': 'application/json' }).end(JSON.stringify(body));
  }
}
