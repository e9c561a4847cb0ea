export { ConfigError, loadConfig } from './config/load-config';
export { variables } from './config/variables';
export { createHttpServer, type HttpServerOptions } from './http/http-server';
export { MountedAdapter } from './http/mounted-adapter';
export { mountHealth, type Dependency } from './observability/health';
export { createLogger, nestLogger, type Logger } from './observability/logger';
export { Counter, createMetrics, Gauge, Histogram, type Registry } from './observability/metrics';
export { createSealer, type Sealer } from './sealing/sealer';
export { systemClock, systemIds } from './system';
