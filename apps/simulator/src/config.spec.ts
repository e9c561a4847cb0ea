import { readConfig } from './config';

describe('readConfig', () => {
  it('listens on loopback port 9101 by default', () => {
    expect(readConfig({})).toEqual({
      port: 9101,
      host: '127.0.0.1',
      logsCalls: true,
      paymentWebhookUrl: undefined,
    });
  });

  it('names the variable that is wrong', () => {
    expect(() => readConfig({ SVC_SIMULATOR_PORT: '70000' })).toThrow(/^SVC_SIMULATOR_PORT: /);
  });

  it('logs no calls above level info', () => {
    expect(readConfig({ SVC_LOG_LEVEL: 'warn', SVC_SIMULATOR_PORT: '0' })).toMatchObject({
      port: 0,
      logsCalls: false,
    });
  });
});
