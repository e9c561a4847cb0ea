import Stripe from 'stripe';
import { openStripe } from './open-stripe';

const SECRETS = ['whsec_first_secret', 'whsec_other_secret'] as const;
const { webhooks } = new Stripe('sk_test_of_a_spec');
const CARD = '4242424242424242';
const payload = JSON.stringify({
  id: 'evt_1',
  object: 'event',
  type: 'charge.refunded',
  data: {
    object: {
      id: 'ch_1',
      object: 'charge',
      payment_intent: 'pi_1',
      metadata: { payment_id: 'pay_1' },
      payment_method_details: { card: { number: CARD } },
      billing_details: { name: 'Ada Lovelace' },
    },
  },
});
const nowSeconds = () => Math.floor(Date.now() / 1_000);
const signed = (options: { secret?: string; timestamp?: number; payload?: string } = {}) =>
  webhooks.generateTestHeaderString({ payload, secret: SECRETS[0], ...options });

async function read(header: string, body = payload) {
  const provider = await openStripe(() => ({
    mode: 'stripe',
    secretKey: 'sk_test_of_a_spec',
    webhookSecrets: SECRETS,
    apiUrl: null,
  }));
  return provider.readEvent(Buffer.from(body), header);
}

it.each(SECRETS)(
  'an event that is signed with either secret is read, without any data of the card: %s',
  async (secret) => {
    expect(await read(signed({ secret }))).toEqual({
      id: 'evt_1',
      type: 'charge.refunded',
      paymentId: 'pay_1',
      reference: null,
      intentReference: 'pi_1',
    });
  },
);

it('an event of five minutes ago is read, and an older one is not', async () => {
  expect(await read(signed({ timestamp: nowSeconds() - 295 }))).not.toBeNull();
  expect(await read(signed({ timestamp: nowSeconds() - 302 }))).toBeNull();
});

it.each([
  ['signed with another secret', signed({ secret: 'whsec_of_somebody' }), payload],
  ['changed after it was signed', signed(), payload.replace('pay_1', 'pay_2')],
  ['not signed', '', payload],
  ['not JSON', signed({ payload: 'no event' }), 'no event'],
])('an event that is %s is not read', async (_what, header, body) => {
  expect(await read(header, body)).toBeNull();
});

it('a secret that is replaced while the service runs is the one that counts', async () => {
  let settings = {
    mode: 'stripe' as const,
    secretKey: 'sk_test_of_a_spec',
    webhookSecrets: [SECRETS[0]] as readonly string[],
    apiUrl: null,
  };
  const provider = await openStripe(() => settings);
  expect(provider.livemode).toBe(false);
  expect(provider.readEvent(Buffer.from(payload), signed({ secret: SECRETS[1] }))).toBeNull();
  settings = { ...settings, secretKey: 'sk_live_of_a_spec', webhookSecrets: [SECRETS[1]] };
  expect(provider.livemode).toBe(true);
  expect(provider.readEvent(Buffer.from(payload), signed({ secret: SECRETS[1] }))).not.toBeNull();
});
