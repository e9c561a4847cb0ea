// What may connect, by the network policies among manifests: from every pod to every port.
// `node infra/k8s/connections.mjs` writes the tables of docs/connections.md anew; connections.spec.ts holds them equal, and
// `npm run test:kubernetes` compares them with what a cluster does.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { manifestsIn } from '../engine/manifests.mjs';
import { judgeOf } from './network-policies.mjs';

const PAGE = join(import.meta.dirname, '../../docs/connections.md');
const NAME = 'app.kubernetes.io/name';
const KINDS_OF_PODS = ['Deployment', 'StatefulSet', 'Job'];
/** Any pod's: private, as a cluster's are. */
const POD_ADDRESS = '10.244.0.10';

const podOf = (name, namespace, ports, labels = {}) => ({
  name,
  namespace,
  labels: { [NAME]: name, ...labels },
  ports,
  address: POD_ADDRESS,
});
const http = [{ name: 'http', port: 8080 }];
const outside = (name, port, address) => ({ name, ports: [{ port }], address });

/** Who connects from other namespaces. */
export const VISITORS = [
  podOf('traefik', 'traefik', []),
  podOf('monitoring', 'monitoring', []),
  podOf('elsewhere', 'default', http),
];
const [, , ELSEWHERE] = VISITORS;
const NEAR = [podOf('DNS', 'kube-system', [{ port: 53 }], { 'k8s-app': 'kube-dns' }), ELSEWHERE];
const FAR = [outside('metadata', 80, '169.254.169.254'), outside('internet', 443, '1.1.1.1')];
/** What is reached beside the pods of the manifests themselves. */
const NEIGHBOURS = {
  dev: [...NEAR, ...FAR],
  production: [
    ...NEAR,
    outside('PostgreSQL', 5432, '192.0.2.1'),
    outside('Redis', 6379, '192.0.2.17'),
    podOf('Kafka', 'svc', [{ port: 9093 }], { 'strimzi.io/cluster': 'svc' }),
    ...FAR,
  ],
};

/** Of an overlay, as `infra/k8s/rendered` has them. */
export const manifestsOf = (overlay) =>
  manifestsIn(readFileSync(join(import.meta.dirname, `rendered/${overlay}.yaml`), 'utf8'));

/** The pods that manifests make, one of each kind. */
export const podsOf = (manifests) =>
  manifests
    .filter(({ kind }) => KINDS_OF_PODS.includes(kind))
    .map(({ metadata: { name, namespace }, spec: { template } }) => ({
      name,
      namespace,
      labels: template.metadata.labels,
      ports: template.spec.containers
        .flatMap(({ ports = [] }) => ports)
        .map(({ name: portName, containerPort }) => ({ name: portName, port: containerPort })),
      address: POD_ADDRESS,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Who may connect to what, as a table of text: the first row names what (`edge:8080`), the first cell of the others who. A
 * cell is `yes`, empty, or `-` where neither side is a pod of the manifests.
 */
export function tableOf(overlay, manifests = manifestsOf(overlay)) {
  const pods = podsOf(manifests);
  const mayConnect = judgeOf(manifests.filter(({ kind }) => kind === 'NetworkPolicy'));
  const targets = [...pods, ...NEIGHBOURS[overlay]].flatMap((pod) =>
    pod.ports.map((port) => ({ pod, port })),
  );
  const cell = (from, { pod, port }) => {
    if (!pods.includes(from) && !pods.includes(pod)) return '-';
    return mayConnect(from, pod, port) ? 'yes' : '';
  };
  return [
    ['', ...targets.map(({ pod, port }) => `${pod.name}:${port.port}`)],
    ...[...pods, ...VISITORS].map((from) => [from.name, ...targets.map((target) => cell(from, target))]),
  ];
}

/** The table of an overlay in docs/connections.md. @throws Error where the page has none. */
export function tableInPage(overlay) {
  const section = readFileSync(PAGE, 'utf8')
    .split(/^## /m)
    .find((each) => each.startsWith(`${overlay}\n`));
  const lines = section?.match(/^\|.*\|$/gm);
  if (lines == null) throw new Error(`docs/connections.md has no table under ${overlay}.`);
  const [titles, , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  return [titles, ...rows];
}

/** Names as code, so that none is a heading's or a link's. */
const markdownOf = ([titles, ...rows]) =>
  [
    ['', ...titles.slice(1).map((title) => `\`${title}\``)],
    titles.map(() => '---'),
    ...rows.map(([who, ...cells]) => [`\`${who}\``, ...cells]),
  ]
    .map((row) => `| ${row.join(' | ')} |\n`)
    .join('');

/** The page with its tables as the manifests have them. */
export const pageOf = (page) =>
  page
    .split(/^(?=## )/m)
    .map((section) => {
      const overlay = Object.keys(NEIGHBOURS).find((each) => section.startsWith(`## ${each}\n`));
      return overlay === undefined
        ? section
        : section.replace(/(^\|.*\n)+/m, () => markdownOf(tableOf(overlay)));
    })
    .join('');

if (process.argv[1] === import.meta.filename) {
  const page = pageOf(readFileSync(PAGE, 'utf8'));
  writeFileSync(PAGE, await format(page, { ...(await resolveConfig(PAGE)), filepath: PAGE }));
}
