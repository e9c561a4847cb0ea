import { Kafka, logLevel, type KafkaConfig, type LogEntry, type SASLOptions } from 'kafkajs';
import { type Logger } from '@svc/platform';

const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** What a failed command is worth before it is told to the caller, who will come again. */
const RETRY = { retries: 2, initialRetryTime: 100, maxRetryTime: 1_000, factor: 0.2, multiplier: 2 };

/** How brokers are spoken to; a null is left out. */
export interface KafkaSecurity {
  /** `ca`: PEM certificates to believe instead of the public ones. */
  readonly tls: { readonly ca: string | null } | null;
  readonly login: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
}

export interface KafkaAddress {
  /** `host:port`, any of the cluster's. */
  readonly brokers: readonly string[];
  /** Tells a service apart in the brokers' logs and metrics. */
  readonly clientId: string;
  /** Without it: in the clear, and as nobody. */
  readonly security?: KafkaSecurity;
}

/** The client's own log is for debugging: it tells of every try, and what counts is told where it is decided. */
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
