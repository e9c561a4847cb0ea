import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse, parseAllDocuments } from 'yaml';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const DEFINITION =
  /(?:new (Counter|Gauge|Histogram)|gaugeAtScrape|sharedCounter)(?:<[^>]*>)?\((?:[\w.]+, )?\{\s*name: '([a-z_]+)'/g;
/** A metric's name, after labels are removed: it has an underscore, or is `up`. */
const NAME = /\b([a-z]+(?:_[a-z0-9]+)+|up)\b/g;
const FUNCTIONS = ['histogram_quantile'];
/** Prometheus's own metrics. */
const BUILT_IN = ['up'];

/** All series of the services, as Prometheus stores them. */
async function series(): Promise<ReadonlySet<string>> {
  const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.spec.ts'),
  );
  const own = sources
    .flatMap((file) => [...read(file).matchAll(DEFINITION)])
    .flatMap(([, type, name = '']) =>
      type === 'Histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
    );
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics = await registry.getMetricsAsJSON();
  registry.clear();
  return new Set([...own, ...metrics.map(({ name }) => name), ...BUILT_IN]);
}

const namesIn = (expression: string): string[] =>
  [...expression.replaceAll(/\{[^}]*\}|\b(?:by|without) \([^)]*\)/g, '').matchAll(NAME)]
    .map(([, name]) => name!)
    .filter((name) => !FUNCTIONS.includes(name));

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook_url: string };
    }[];
  }[];
}
interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const alerts = parse(read('infra/compose/prometheus/alerts.yml')) as Rules;
const dashboard = JSON.parse(read('infra/k8s/components/observability/svc-dashboard.json')) as {
  readonly panels: readonly Panel[];
};

describe('the observability of an installation', () => {
  it.each(
    dashboard.panels.filter(({ type }) => type !== 'row').map((panel) => [panel.title, panel] as const),
  )('asks in the panel "%s" for metrics that the services have', async (_, { targets = [] }) => {
    const known = await series();
    for (const { expr } of targets) {
      expect(namesIn(expr)).not.toEqual([]);
      expect(namesIn(expr).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it.each(alerts.groups.flatMap(({ rules }) => rules).map(({ alert, expr }) => [alert, expr]))(
    'judges in the alert %s by metrics that the services have',
    async (_, expr) => {
      const known = await series();
      expect(namesIn(expr!)).not.toEqual([]);
      expect(namesIn(expr!).filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it('says for each alert what to do, and where that is documented', () => {
    const headings = [...read('docs/operate.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
    for (const { alert, annotations } of alerts.groups.flatMap(({ rules }) => rules)) {
      expect(headings).toContain(alert);
      expect(annotations.runbook_url).toBe(`docs/operate.md#${alert.toLowerCase()}`);
    }
  });

  it('has the same alerts in Kubernetes', () => {
    const rule = parse(read('infra/k8s/components/observability/prometheus-rule.yaml')) as {
      readonly spec: Rules;
    };
    expect(rule.spec).toEqual(alerts);
  });

  it('shows every metric of the services on the dashboard', async () => {
    const shown = dashboard.panels
      .flatMap(({ targets = [] }) => targets)
      .flatMap(({ expr }) => namesIn(expr));
    const own = [...(await series())].filter((name) => /^(svc|gen_ai)_/.test(name));
    const families = new Set(own.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    const seen = new Set(shown.map((name) => name.replace(/_(bucket|sum|count)$/, '')));
    expect([...families].filter((name) => !seen.has(name))).toEqual([]);
  });

  it('scales by metrics that the services have and prometheus-adapter serves', async () => {
    const known = await series();
    const { rules } = parse(read('infra/k8s/components/observability/prometheus-adapter-values.yaml')) as {
      rules: Record<'custom' | 'external', { seriesQuery: string; name: { as: string } }[]>;
    };
    const served = [...rules.custom, ...rules.external];
    for (const { seriesQuery } of served) expect(known).toContain(seriesQuery.split('{', 1)[0]);
    const asked = parseAllDocuments(read('infra/k8s/components/autoscaling/autoscalers.yaml'))
      .map(
        (document) =>
          document.toJS() as { spec: { metrics: Record<string, { metric?: { name: string } }>[] } },
      )
      .flatMap(({ spec }) => spec.metrics)
      .flatMap(({ pods, external }) => (pods ?? external)?.metric?.name ?? []);
    expect(asked.sort()).toEqual(served.map(({ name }) => name.as).sort());
  });
});
