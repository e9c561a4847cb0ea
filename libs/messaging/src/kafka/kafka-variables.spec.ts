import { rmSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, loadConfig } from '@svc/runtime/config';
import { checkKafkaVariables, kafkaSettings, kafkaVariables } from './kafka-variables';

const schema = z.object(kafkaVariables).superRefine(checkKafkaVariables);
const optional = z
  .object({ ...kafkaVariables, SVC_KAFKA_BROKERS: kafkaVariables.SVC_KAFKA_BROKERS.optional() })
  .superRefine(checkKafkaVariables);

const BROKERS = { SVC_KAFKA_BROKERS: 'one:9092,two:9092' };
const LOGIN = {
  SVC_KAFKA_SASL_MECHANISM: 'scram-sha-512',
  SVC_KAFKA_SASL_USERNAME: 'svc',
  SVC_KAFKA_SASL_PASSWORD: 'hunter2',
};
const caFile = join(tmpdir(), `kafka-ca-${String(process.pid)}.pem`);
beforeAll(() => {
  writeFileSync(caFile, rootCertificates.slice(0, 2).join('\n'));
});
afterAll(() => {
  rmSync(caFile);
});

const settingsOf = (env: Record<string, string>) => kafkaSettings(loadConfig(schema, { ...BROKERS, ...env }));
function refusalOf(env: Record<string, string>, of: z.ZodObject = schema): string {
  try {
    loadConfig(of, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('The environment was accepted.');
}

describe('the variables of Kafka', () => {
  it('are by default a plain connection to the brokers', () => {
    expect(settingsOf({})).toEqual({
      brokers: ['one:9092', 'two:9092'],
      prefix: 'svc',
      security: { tls: null, login: null },
    });
  });

  it('encrypt, trusting public certificates or those of a file', () => {
    expect(settingsOf({ SVC_KAFKA_SSL: 'true' }).security.tls).toEqual({ ca: null });
    const { tls } = settingsOf({ SVC_KAFKA_SSL: 'true', SVC_KAFKA_CA_FILE: caFile }).security;
    expect(tls?.ca).toContain(rootCertificates[1]);
  });

  it('log in, without encryption only where the password is not sent in clear text', () => {
    const login = { mechanism: 'scram-sha-512', username: 'svc', password: 'hunter2' };
    expect(settingsOf(LOGIN).security).toEqual({ tls: null, login });
    expect(settingsOf({ ...LOGIN, SVC_KAFKA_SSL: 'true' }).security.login).toEqual(login);
  });

  it.each([
    ['a password without a name', { SVC_KAFKA_SASL_PASSWORD: 'hunter2' }, 'SVC_KAFKA_SASL_USERNAME'],
    ['a mechanism alone', { SVC_KAFKA_SASL_MECHANISM: 'plain' }, 'SVC_KAFKA_SASL_PASSWORD'],
    ['an unknown mechanism', { ...LOGIN, SVC_KAFKA_SASL_MECHANISM: 'hunter2' }, 'SVC_KAFKA_SASL_MECHANISM'],
    ['a password in the clear', { ...LOGIN, SVC_KAFKA_SASL_MECHANISM: 'plain' }, 'SVC_KAFKA_SSL'],
    ['certificates that nothing uses', { SVC_KAFKA_CA_FILE: caFile }, 'SVC_KAFKA_SSL'],
    ['a missing file', { SVC_KAFKA_SSL: 'true', SVC_KAFKA_CA_FILE: '/hunter2' }, 'SVC_KAFKA_CA_FILE'],
    [
      'a file without certificates',
      { SVC_KAFKA_SSL: 'true', SVC_KAFKA_CA_FILE: __filename },
      'SVC_KAFKA_CA_FILE',
    ],
  ])('with %s are refused in one line that names one and tells no value', (_, env, name) => {
    const message = refusalOf({ ...BROKERS, ...env });
    expect(message).toMatch(new RegExp(`^Wrong environment: [^\\n]*\\b${name} (must|is) [^\\n]+$`));
    expect(message).not.toContain('hunter2');
  });

  it('require brokers, also where Kafka is optional', () => {
    expect(loadConfig(optional, {})).not.toHaveProperty('SVC_KAFKA_BROKERS');
    expect(refusalOf(LOGIN, optional)).toContain('SVC_KAFKA_BROKERS is required');
    expect(refusalOf({ SVC_KAFKA_SSL: 'true' }, optional)).toContain('SVC_KAFKA_BROKERS is required');
  });
});
