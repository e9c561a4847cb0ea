import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

  it('reads the secret from a file, or from a folder of secrets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-simulator-'));
    const file = join(folder, 'SVC_SIMULATOR_WEBHOOK_SECRET');
    const url = 'http://127.0.0.1:8082/payments/stripe/webhook';
    const webhookOf = (variables: Record<string, string>) =>
      readConfig({ SVC_SIMULATOR_WEBHOOK_URL: url, ...variables }).paymentWebhook;
    expect(webhookOf({ SVC_SECRETS_DIR: folder })).toBeUndefined();
    writeFileSync(file, 'whsec_of_a_file\n');
    expect(webhookOf({ SVC_SECRETS_DIR: folder })?.secret).toBe('whsec_of_a_file');
    expect(webhookOf({ SVC_SIMULATOR_WEBHOOK_SECRET_FILE: file })?.secret).toBe('whsec_of_a_file');
    const twice = {
      SVC_SIMULATOR_WEBHOOK_SECRET_FILE: file,
      SVC_SIMULATOR_WEBHOOK_SECRET: 'whsec_of_a_spec',
    };
    expect(() => webhookOf(twice)).toThrow(/^SVC_SIMULATOR_WEBHOOK_SECRET is set twice$/);
    expect(() => webhookOf({ SVC_SIMULATOR_WEBHOOK_SECRET_FILE: '/nowhere' })).toThrow(
      /^SVC_SIMULATOR_WEBHOOK_SECRET_FILE .*: \/nowhere$/,
    );
    rmSync(folder, { recursive: true });
  });

  it('logs no calls above level info', () => {
    expect(readConfig({ SVC_LOG_LEVEL: 'warn', SVC_SIMULATOR_PORT: '0' })).toMatchObject({
      port: 0,
      logsCalls: false,
    });
  });
});
