export { gaugeAtScrape } from './gauge-at-scrape';
export { infoLines } from './info-lines';
export { createLogger, type Logger } from './logger';
export { Counter, Gauge, Histogram, createMetrics, sharedCounter, type Registry } from './metrics';
