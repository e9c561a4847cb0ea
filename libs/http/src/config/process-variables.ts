import { variables } from '@svc/runtime/config';

/**
 * The variables of every separate service. Each service has another default port
 * (docs/configuration.md#one-process-or-one-for-each-service).
 */
export const processVariables = (defaultPort: number) => ({
  SVC_HOST: variables.host.default('127.0.0.1'),
  SVC_PORT: variables.port.default(defaultPort),
  SVC_TRUSTED_PROXIES: variables.trustedProxies.default(0),
  SVC_LOG_LEVEL: variables.logLevel.default('info'),
  SVC_STOP_DELAY_SECONDS: variables.count.default(0),
});
