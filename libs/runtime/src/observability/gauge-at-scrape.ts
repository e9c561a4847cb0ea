import { Gauge, type Registry } from 'prom-client';
import { type Logger } from './logger';

interface GaugeAtScrape<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
  readonly registry: Registry;
  readonly logger: Logger;
  /** Sets the gauge. A scrape waits for it. */
  readonly read: (gauge: Gauge<Label>) => Promise<void>;
}

/**
 * Registers a gauge that is read at each scrape. One that cannot be read keeps its last value: the other metrics stay
 * useful when the database is unreachable.
 */
export function gaugeAtScrape<Label extends string = never>({
  name,
  help,
  labelNames = [],
  registry,
  logger,
  read,
}: GaugeAtScrape<Label>): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      try {
        await read(this);
      } catch (error) {
        logger.warn({ err: error, metric: name }, 'metric not read');
      }
    },
  });
}
