import { readConfig } from './config';

describe('readConfig', () => {
  it('listens on loopback port 9101 by default', () => {
    expect(readConfig({})).toEqual({
      port: 9101,
      host: '127.0.0.1',
      logsCalls: true,
      paymentWebhook: undefined,
    });
  });

  it('names the variable that is wrong', () => {
    expect(() => readConfig({ SVC_SIMULATOR_PORT: '70000' })).toThrow(/^SVC_SIMULATOR_PORT: /);
  });

  it('sends events of payments only where it has a secret to sign them with', () => {
    const url = 'http://127.0.0.1:8082/payments/stripe/webhook';
    const webhookOf = (secret?: string) =>
      readConfig({ SVC_SIMULATOR_WEBHOOK_URL: url, SVC_SIMULATOR_WEBHOOK_SECRET: secret }).paymentWebhook;
    expect(webhookOf('whsec_of_a_spec')).toEqual({ url, secret: 'whsec_of_a_spec' });
    expect([webhookOf(), webhookOf('')]).toEqual([undefined, undefined]);
  });

  it('logs no calls above level info', () => {
    expect(readConfig({ SVC_LOG_LEVEL: 'warn', SVC_SIMULATOR_PORT: '0' })).toMatchObject({
      port: 0,
      logsCalls: false,
    });
  });
});
