import { Kafka, logLevel, type KafkaConfig, type LogEntry, type SASLOptions } from 'kafkajs';
import { type Logger } from '@svc/runtime/observability';
import { checkOnlyWaitingRequests } from './request-queue';

checkOnlyWaitingRequests();

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Few retries of a failed command, because the caller retries too. */
const RETRY = { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 };

/** Encryption and login of connections. Null means none. */
export interface KafkaSecurity {
  /** `ca`: PEM certificates to trust instead of the public ones. */
  readonly tls: { readonly ca: string | null } | null;
  readonly login: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
}

export interface KafkaAddress {
  /** `host:port` of any brokers of the cluster. */
  readonly brokers: readonly string[];
  /** Prefix of the names of the topic and the groups. Installations that share a cluster need different ones. */
  readonly prefix: string;
  /** Identifies a service in the brokers' logs and metrics. */
  readonly clientId: string;
  /** Without it connections are neither encrypted nor authenticated. */
  readonly security?: KafkaSecurity;
}

/** The client's log goes to debug, because it reports every try. Its callers log what matters. */
export const kafkaClient = ({ brokers, clientId, security }: KafkaAddress, logger: Logger) =>
  new Kafka({
    brokers: [...brokers],
    clientId,
    ...secured(security),
    connectionTimeout: CONNECT_TIMEOUT_MS,
    requestTimeout: ANSWER_TIMEOUT_MS,
    retry: RETRY,
    logLevel: logLevel.INFO,
    logCreator:
      () =>
      ({ namespace, log: { message, ...details } }: LogEntry) => {
        logger.debug({ kafka: namespace, ...details }, message);
      },
  });

function secured(
  { tls, login }: KafkaSecurity = { tls: null, login: null },
): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  return {
    ...(tls === null ? {} : { ssl: tls.ca === null ? true : { ca: tls.ca } }),
    ...(login === null ? {} : { sasl: { ...login } as SASLOptions }),
  };
}
