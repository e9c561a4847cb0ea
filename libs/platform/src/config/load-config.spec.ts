import { z } from 'zod';
import { ConfigError, loadConfig } from './load-config';
import { variables } from './variables';

const MASTER_KEY = Buffer.alloc(32, 7);

const schema = z.object({
  SVC_PORT: variables.port.default(8080),
  SVC_DATABASE_URL: variables.url(['postgres', 'postgresql']).optional(),
  SVC_MASTER_KEY: variables.masterKey.optional(),
  SVC_PLATFORM_TOKEN: variables.secret(16).optional(),
  SVC_BOOTSTRAP_EMAIL: variables.email.default('owner@example.com'),
  SVC_BOOTSTRAP_CREDIT_NANOS: variables.nanos.default(100_000_000_000n),
  SVC_WEBHOOK_ALLOW_PRIVATE: variables.flag.default(false),
  SVC_LOG_LEVEL: variables.logLevel.default('info'),
});

function messageFor(env: Record<string, string>): string {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The environment was accepted.');
}

describe('the environment', () => {
  it('has defaults for variables that are not set or empty', () => {
    expect(loadConfig(schema, { SVC_PORT: '', SVC_LOG_LEVEL: '', PATH: '/bin' })).toEqual({
      SVC_PORT: 8080,
      SVC_BOOTSTRAP_EMAIL: 'owner@example.com',
      SVC_BOOTSTRAP_CREDIT_NANOS: 100_000_000_000n,
      SVC_WEBHOOK_ALLOW_PRIVATE: false,
      SVC_LOG_LEVEL: 'info',
    });
  });

  it('is parsed into the types of the service', () => {
    const config = loadConfig(schema, {
      SVC_PORT: '0',
      SVC_DATABASE_URL: 'postgresql://svc:p%40ss@db:5432/svc',
      SVC_MASTER_KEY: MASTER_KEY.toString('base64'),
      SVC_BOOTSTRAP_CREDIT_NANOS: '0',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
    });
    expect(config).toMatchObject({
      SVC_PORT: 0,
      SVC_MASTER_KEY: MASTER_KEY,
      SVC_BOOTSTRAP_CREDIT_NANOS: 0n,
      SVC_WEBHOOK_ALLOW_PRIVATE: true,
    });
  });

  it('has two master keys during a rotation', () => {
    const other = Buffer.alloc(32, 8);
    const both = `${MASTER_KEY.toString('base64')},${other.toString('base64')}`;
    expect(loadConfig(schema, { SVC_MASTER_KEY: both }).SVC_MASTER_KEY).toEqual([MASTER_KEY, other]);
  });

  it.each([
    ['SVC_PORT', '80a'],
    ['SVC_PORT', '65536'],
    ['SVC_PORT', '-1'],
    ['SVC_PORT', '8e3'],
    ['SVC_DATABASE_URL', 'mysql://root:hunter2@db/svc'],
    ['SVC_DATABASE_URL', 'hunter2'],
    ['SVC_MASTER_KEY', MASTER_KEY.subarray(1).toString('base64')],
    ['SVC_MASTER_KEY', `${MASTER_KEY.toString('base64')}!hunter2`],
    ['SVC_MASTER_KEY', `${MASTER_KEY.toString('base64')},hunter2`],
    ['SVC_PLATFORM_TOKEN', 'hunter2'],
    ['SVC_BOOTSTRAP_EMAIL', 'hunter2'],
    ['SVC_BOOTSTRAP_CREDIT_NANOS', '1.5'],
    ['SVC_BOOTSTRAP_CREDIT_NANOS', '-1'],
    ['SVC_WEBHOOK_ALLOW_PRIVATE', 'yes'],
    ['SVC_LOG_LEVEL', 'loud'],
  ])('with a wrong %s (%s) is refused in one line that names it and never its value', (name, value) => {
    const message = messageFor({ [name]: value });
    expect(message).toMatch(new RegExp(`^Wrong environment: ${name} must [^\\n]+$`));
    expect(message).not.toContain(value);
  });

  it('names every wrong variable at once', () => {
    expect(messageFor({ SVC_PORT: 'x', SVC_LOG_LEVEL: 'loud' })).toMatch(/SVC_PORT .*; SVC_LOG_LEVEL /);
  });

  it('names a variable that is required and not set', () => {
    const required = z.object({ SVC_MASTER_KEY: variables.masterKey });
    expect(() => loadConfig(required, {})).toThrow(/^Wrong environment: SVC_MASTER_KEY /);
  });
});
