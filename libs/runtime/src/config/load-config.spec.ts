import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, loadConfig } from './load-config';
import { variables } from './variables';

const MASTER_KEY = Buffer.alloc(32, 7);

const schema = z.object({
  SVC_PORT: variables.port.default(8080),
  SVC_TRUSTED_PROXIES: variables.trustedProxies.default(0),
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
      SVC_TRUSTED_PROXIES: 0,
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
    ['SVC_TRUSTED_PROXIES', '101'],
    ['SVC_TRUSTED_PROXIES', 'loopback'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.0/8,'],
    ['SVC_TRUSTED_PROXIES', '10.0.0.1/8'],
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

  it('reads proxies as a number or as addresses, and says which entry is wrong', () => {
    const proxies = (text: string) => loadConfig(schema, { SVC_TRUSTED_PROXIES: text }).SVC_TRUSTED_PROXIES;
    expect([proxies(''), proxies('2'), proxies('100')]).toEqual([0, 2, 100]);
    expect(proxies('10.0.0.0/8, ::1')).toEqual([
      { family: 4, first: 0x0a00_0000n, last: 0x0aff_ffffn },
      { family: 6, first: 1n, last: 1n },
    ]);
    expect(messageFor({ SVC_TRUSTED_PROXIES: '10.0.0.0/8,10.0.0.1/8' })).toMatch(/; entry 2 has bits set/);
    expect(messageFor({ SVC_TRUSTED_PROXIES: 'proxy,10.0.0.1' })).toMatch(/; entry 1 is neither$/);
  });

  it('names every wrong variable at once', () => {
    expect(messageFor({ SVC_PORT: 'x', SVC_LOG_LEVEL: 'loud' })).toMatch(/SVC_PORT .*; SVC_LOG_LEVEL /);
  });

  it('names a variable that is required and not set', () => {
    const required = z.object({ SVC_MASTER_KEY: variables.masterKey });
    expect(() => loadConfig(required, {})).toThrow(/^Wrong environment: SVC_MASTER_KEY /);
  });
});

describe('a variable in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-variables-'));
  const fileWith = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['as it is', 'a-long-enough-secret', 'a-long-enough-secret'],
    ['without the line break at its end', 'a-long-enough-secret\n', 'a-long-enough-secret'],
    ['without the line break of Windows', 'a-long-enough-secret\r\n', 'a-long-enough-secret'],
    ['with all other white space', ' a-long-enough-secret \n\n', ' a-long-enough-secret \n'],
  ])('is taken %s', (_, text, secret) => {
    const env = { SVC_PLATFORM_TOKEN_FILE: fileWith('token', text), SVC_PLATFORM_TOKEN: '' };
    expect(loadConfig(schema, env).SVC_PLATFORM_TOKEN).toBe(secret);
  });

  it('is parsed as the variable itself is', () => {
    const env = {
      SVC_MASTER_KEY_FILE: fileWith('key', `${MASTER_KEY.toString('base64')}\n`),
      SVC_PORT_FILE: '',
    };
    expect(loadConfig(schema, env)).toMatchObject({ SVC_MASTER_KEY: MASTER_KEY, SVC_PORT: 8080 });
  });

  it('is refused beside the variable itself, by names alone', () => {
    const env = {
      SVC_PLATFORM_TOKEN_FILE: fileWith('both', 'hunter2hunter2hunter2'),
      SVC_PLATFORM_TOKEN: 'hunter3',
    };
    expect(messageFor(env)).toBe(
      'Wrong environment: SVC_PLATFORM_TOKEN is set twice, by itself and by SVC_PLATFORM_TOKEN_FILE',
    );
  });

  it.each([
    ['missing', 'cannot be read', () => join(folder, 'nowhere')],
    ['a folder', 'cannot be read', () => folder],
    ['empty', 'an empty file', () => fileWith('empty', '')],
    ['but a line break', 'an empty file', () => fileWith('line', '\n')],
  ])('that is %s is refused with its variable and its path', (_, problem, pathOf) => {
    const path = pathOf();
    const required = z.object({ SVC_MASTER_KEY: variables.masterKey });
    let message = '';
    try {
      loadConfig(required, { SVC_MASTER_KEY_FILE: path });
    } catch (error) {
      ({ message } = error as ConfigError);
    }
    expect(message).toMatch(/^Wrong environment: SVC_MASTER_KEY_FILE names [^;\n]+$/);
    expect(message).toContain(problem);
    expect(message).toContain(path);
  });

  it('may have its name in a folder of secrets, where an empty file and other files count for nothing', () => {
    const [one, other] = [mkdtempSync(join(folder, 'one-')), mkdtempSync(join(folder, 'other-'))];
    writeFileSync(join(one, 'SVC_PLATFORM_TOKEN'), 'a-long-enough-secret\n');
    writeFileSync(join(one, 'SVC_MASTER_KEY'), '');
    writeFileSync(join(other, 'SVC_MASTER_KEY'), MASTER_KEY.toString('base64'));
    writeFileSync(join(other, 'README'), 'not a variable');
    const env = { SVC_SECRETS_DIR: `${one},${other}` };
    expect(loadConfig(schema, env)).toMatchObject({
      SVC_PLATFORM_TOKEN: 'a-long-enough-secret',
      SVC_MASTER_KEY: MASTER_KEY,
      SVC_PORT: 8080,
    });
    expect(messageFor({ ...env, SVC_PLATFORM_TOKEN: 'hunter2hunter2hunter2' })).toBe(
      `Wrong environment: SVC_PLATFORM_TOKEN is set twice, by itself and by ${one}/SVC_PLATFORM_TOKEN`,
    );
  });

  it('with a wrong content is refused without it', () => {
    const message = messageFor({ SVC_MASTER_KEY_FILE: fileWith('wrong', 'hunter2') });
    expect(message).toMatch(/^Wrong environment: SVC_MASTER_KEY must /);
    expect(message).not.toContain('hunter2');
  });
});
