import { ConfigError, FollowedEnvironment } from '@svc/runtime/config';
import { readConfig } from './config';

/** Variables of Node and npm are not the service's. */
const around = process.env;
const withEnvironment = <T>(variables: Readonly<Record<string, string>>, work: () => T): T => {
  process.env = { ...variables };
  try {
    return work();
  } finally {
    process.env = around;
  }
};
const read = (variables: Readonly<Record<string, string>> = {}) => withEnvironment(variables, readConfig);
const refusalOf = (variables: Readonly<Record<string, string>>): string => {
  try {
    read(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('was taken');
};

const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');

describe('the environment', () => {
  it('needs both the server and the sender of mail, or neither', () => {
    expect(refusalOf({ SVC_SMTP_URL: 'smtp://mail.example.com' })).toContain('SVC_MAIL_FROM');
    expect(refusalOf({ SVC_MAIL_FROM: 'svc@example.com' })).toContain('SVC_SMTP_URL');
  });

  it('may be empty: everything has the default of docs/configuration.md', () => {
    expect(read()).toEqual({
      SVC_PORT: 8080,
      SVC_HOST: '127.0.0.1',
      SVC_TRUSTED_PROXIES: 0,
      SVC_DATA_DIR: '.svc',
      SVC_KAFKA_PREFIX: 'svc',
      SVC_KAFKA_SSL: false,
      SVC_CATALOG_FILE: ['config/catalog.yaml'],
      SVC_BOOTSTRAP_EMAIL: 'owner@example.com',
      SVC_BOOTSTRAP_CREDIT_NANOS: 100_000_000_000n,
      SVC_WEBHOOK_ALLOW_PRIVATE: false,
      SVC_WEBHOOK_RETRY_DELAYS: [60, 300, 1800, 7200, 43200],
      SVC_ORGANIZATION_METRICS: false,
      SVC_ALERT_TICK_SECONDS: 10,
      SVC_INCIDENT_AFTER_SECONDS: 300,
      SVC_PRICE_BPS: 10_000,
      SVC_OWN_CREDENTIAL_BPS: 0,
      SVC_END_USERS_PER_DAY: 100_000,
      SVC_MANAGEMENT_RPM: 6_000,
      SVC_STATUS_PAGE: false,
      SVC_STORAGE_PATH_STYLE: false,
      SVC_STORAGE_REGION: 'us-east-1',
      SVC_EXPORT_MAX_ROWS: 10_000_000,
      SVC_FILE_MAX_BYTES: 536_870_912,
      SVC_FINE_TUNING_POLL_SECONDS: 15,
      SVC_ENDPOINT_SLICE_SECONDS: 600,
      SVC_EXPORT_RETENTION_DAYS: 7,
      SVC_EXPORT_WORK_PERCENT: 0.25,
      SVC_PAYMENTS: 'test',
      SVC_PAYMENT_RECONCILE_SECONDS: 600,
      SVC_LOG_LEVEL: 'info',
    });
  });

  it('takes an empty value as none, as compose files pass variables on', () => {
    expect(read({ SVC_PORT: '', SVC_BOOTSTRAP_API_KEY: '' })).toMatchObject({ SVC_PORT: 8080 });
  });

  it.each([
    ['SVC_PORT', 'eighty'],
    ['SVC_PORT', '65536'],
    ['SVC_BASE_URL', 'not a URL'],
    ['SVC_BASE_URL', 'ftp://example.com'],
    ['SVC_DATABASE_URL', 'mysql://user:hidden@example.com/svc'],
    ['SVC_SIMULATOR_URL', 'localhost:9101'],
    ['SVC_MASTER_KEY', 'c2hvcnQ='],
    ['SVC_PLATFORM_TOKEN', 'fifteen-letters'],
    ['SVC_BOOTSTRAP_EMAIL', 'nobody'],
    ['SVC_BOOTSTRAP_PASSWORD', '7letter'],
    ['SVC_BOOTSTRAP_PASSWORD', 'password1234'],
    ['SVC_BOOTSTRAP_PASSWORD', 'xxxxxxxxxxxx'],
    ['SVC_BOOTSTRAP_PASSWORD', `hedgehogs, quiet ones,${'.'.repeat(500)}`],
    ['SVC_BOOTSTRAP_API_KEY', 'sk-of-another-service'],
    ['SVC_BOOTSTRAP_CREDIT_NANOS', '1.5'],
    ['SVC_LOG_LEVEL', 'loud'],
    ['SVC_TRUSTED_PROXIES', '-1'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/8,proxy.example.com'],
    ['SVC_KAFKA_BROKERS', 'kafka'],
    ['SVC_WEBHOOK_RETRY_DELAYS', '1,2,3,4'],
    ['SVC_WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['SVC_ORGANIZATION_METRICS', '1'],
    ['SVC_OPERATOR_CONTACT', 'javascript:alert(1)'],
    ['SVC_REQUEST_RETENTION_MONTHS', '1'],
    ['SVC_REQUEST_RETENTION_MONTHS', '2.5'],
    ['SVC_SMTP_URL', 'mail.example.com'],
    ['SVC_CATALOG_FILE', 'config/nowhere.yaml'],
  ])('with a wrong %s (%s) is refused in one line that names it and never quotes it', (name, value) => {
    const message = refusalOf({ [name]: value });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
    expect(message).not.toContain('\n');
  });

  it('with several wrong values names them all in the one line', () => {
    const message = refusalOf({ SVC_PORT: 'x', SVC_LOG_LEVEL: 'y' });
    expect(message).toMatch(/SVC_PORT .*; SVC_LOG_LEVEL /);
  });

  it.each(['SVC_MASTER_KEY', 'SVC_PLATFORM_TOKEN'])('must have %s with a database of its own', (missing) => {
    const complete: Record<string, string> = {
      SVC_DATABASE_URL: 'postgres://localhost/svc',
      SVC_MASTER_KEY: MASTER_KEY,
      SVC_PLATFORM_TOKEN: 'p'.repeat(32),
    };
    expect(read(complete)).toMatchObject({ SVC_MASTER_KEY: Buffer.alloc(32, 1) });
    const { [missing]: _, ...incomplete } = complete;
    expect(refusalOf(incomplete)).toContain(missing);
  });

  it('is handed to the catalog as it is at that moment', () => {
    const environment = withEnvironment({ ACME_API_KEY: 'secret' }, () => new FollowedEnvironment());
    expect(environment.variables['ACME_API_KEY']).toBe('secret');
  });
});
