import { gaugeAtScrape } from './gauge-at-scrape';
import { createLogger } from './logger';
import { createMetrics } from './metrics';

it('is read at each scrape, and keeps its value and the scrape when it cannot be read', async () => {
  const lines: string[] = [];
  const registry = createMetrics('platform-spec');
  let readings = 0;
  gaugeAtScrape({
    name: 'svc_jobs',
    help: 'Jobs.',
    registry,
    logger: createLogger(
      { service: 'platform-spec', level: 'info' },
      { write: (line: string) => void lines.push(line) },
    ),
    read: (gauge) => {
      if (++readings === 2) throw new Error('no database');
      gauge.set(readings);
      return Promise.resolve();
    },
  });
  const scraped = async () => /^svc_jobs\{[^}]*\} (\d+)$/m.exec(await registry.metrics())?.[1];
  expect(await scraped()).toBe('1');
  expect(await scraped()).toBe('1');
  expect(await scraped()).toBe('3');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ level: 'warn', msg: 'metric not read', metric: 'svc_jobs' }),
  ]);
});
