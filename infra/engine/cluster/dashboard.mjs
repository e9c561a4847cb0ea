// Asks Prometheus what the dashboard and the alerts ask, of the services in the cluster.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root, say } from '../../local/workspace.mjs';
import { kubectl } from './kubectl.mjs';
import { PROMETHEUS } from './monitoring.mjs';

const OBSERVABILITY = join(root, 'infra/k8s/components/observability');
/** Of Grafana, at this pace of scrapes. */
const RATE_INTERVAL = '1m';
/** Panels that figures show in, whatever an installation is used for. */
const ALWAYS = ['Calls by outcome', 'Calls in flight'];

/** @throws Error with the first query of an alert that Prometheus refuses. */
export async function expectAlertsCanBeAsked() {
  const { spec } = parse(readFileSync(join(OBSERVABILITY, 'prometheus-rule.yaml'), 'utf8'));
  for (const { rules } of spec.groups) for (const { expr } of rules) await figuresOf(expr);
}

/** @throws Error with the first query that Prometheus refuses, or with panels that are empty though they must not be. */
export async function expectDashboard() {
  const { panels } = JSON.parse(readFileSync(join(OBSERVABILITY, 'svc-dashboard.json'), 'utf8'));
  const shown = panels.filter(({ targets }) => targets !== undefined);
  const empty = [];
  for (const { title, targets } of shown) {
    const figures = [];
    for (const { expr } of targets) figures.push(...(await figuresOf(expr)));
    if (figures.length === 0) empty.push(title);
  }
  say(`${shown.length - empty.length} of ${shown.length} panels have figures; none: ${empty.join(', ')}`);
  const missing = ALWAYS.filter(
    (title) => empty.includes(title) || !shown.some((panel) => panel.title === title),
  );
  if (missing.length > 0) throw new Error(`These panels have no figures: ${missing.join(', ')}.`);
}

async function figuresOf(expr) {
  const query = encodeURIComponent(expr.replaceAll('$__rate_interval', RATE_INTERVAL));
  const path = `/api/v1/namespaces/${PROMETHEUS.namespace}/services/${PROMETHEUS.name}:${PROMETHEUS.port}/proxy`;
  const answer = await kubectl('get', '--raw', `${path}/api/v1/query?query=${query}`).catch(({ message }) => {
    throw new Error(`Prometheus refuses ${expr}: ${message}`);
  });
  return JSON.parse(answer).data.result;
}
