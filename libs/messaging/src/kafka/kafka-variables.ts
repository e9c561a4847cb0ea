import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { variables } from '@svc/runtime/config';
import { type KafkaSecurity } from './kafka-client';

/** The file is read here, so that a missing one fails the start and not the first connection. */
const certificatesFile = variables.path.transform((path, context) => {
  try {
    const text = readFileSync(path, 'utf8');
    new X509Certificate(text);
    return text;
  } catch {
    context.addIssue('must be a readable file of PEM certificates');
    return z.NEVER;
  }
});

/** The variables of Kafka for a service's schema. Use them with {@link checkKafkaVariables}. */
export const kafkaVariables = {
  SVC_KAFKA_BROKERS: variables.brokers,
  SVC_KAFKA_PREFIX: variables.kafkaPrefix.default('svc'),
  SVC_KAFKA_SSL: variables.flag.default(false),
  SVC_KAFKA_CA_FILE: certificatesFile.optional(),
  SVC_KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512'], 'must be plain, scram-sha-256 or scram-sha-512')
    .optional(),
  SVC_KAFKA_SASL_USERNAME: variables.secret(1).optional(),
  SVC_KAFKA_SASL_PASSWORD: variables.secret(1).optional(),
};

const SASL = ['SVC_KAFKA_SASL_MECHANISM', 'SVC_KAFKA_SASL_USERNAME', 'SVC_KAFKA_SASL_PASSWORD'] as const;

type KafkaVariables = z.output<z.ZodObject<typeof kafkaVariables>>;
/** The variables of a service for which Kafka is optional. */
type OptionalKafka = Omit<KafkaVariables, 'SVC_KAFKA_BROKERS'> & {
  readonly SVC_KAFKA_BROKERS?: string[] | undefined;
};

/** Refuses ambiguous settings: an incomplete login, or certificates that would not be used. */
export function checkKafkaVariables(config: OptionalKafka, context: z.core.$RefinementCtx): void {
  const refuse = (name: keyof KafkaVariables, message: string): void => {
    context.addIssue({ code: 'custom', path: [name], message, input: undefined });
  };
  const isEncrypted = config.SVC_KAFKA_SSL;
  const given = SASL.filter((name) => config[name] !== undefined);
  if (config.SVC_KAFKA_BROKERS === undefined && (isEncrypted || given.length > 0)) {
    refuse('SVC_KAFKA_BROKERS', 'is required with the other SVC_KAFKA variables');
  }
  if (config.SVC_KAFKA_CA_FILE !== undefined && !isEncrypted) {
    refuse('SVC_KAFKA_SSL', 'must be true with SVC_KAFKA_CA_FILE');
  }
  if (given.length > 0) {
    for (const name of SASL.filter((each) => !given.includes(each))) {
      refuse(name, 'is required: a login needs mechanism, username and password');
    }
  }
  if (config.SVC_KAFKA_SASL_MECHANISM === 'plain' && !isEncrypted) {
    refuse('SVC_KAFKA_SSL', 'must be true with the mechanism plain, which sends the password as it is');
  }
}

/** The settings of the event client and server from the environment. */
export function kafkaSettings(config: KafkaVariables): {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly security: KafkaSecurity;
} {
  const { SVC_KAFKA_CA_FILE: ca, SVC_KAFKA_SASL_MECHANISM: mechanism } = config;
  const { SVC_KAFKA_SASL_USERNAME: username, SVC_KAFKA_SASL_PASSWORD: password } = config;
  const hasLogin = mechanism !== undefined && username !== undefined && password !== undefined;
  return {
    brokers: config.SVC_KAFKA_BROKERS,
    prefix: config.SVC_KAFKA_PREFIX,
    security: {
      tls: config.SVC_KAFKA_SSL ? { ca: ca ?? null } : null,
      login: hasLogin ? { mechanism, username, password } : null,
    },
  };
}
