// `npm run test:kubernetes`: what docs/deploy.md says of Kubernetes, on the cluster that `kubectl` reaches; with `--installed` on
// the installation of `dev` that is there; with `--other-tag before` also rolling between this version and the one before, whose
// images are `svc-edge:before` and the like.
// `npm run test:kubernetes -- --api-server`: every object of every overlay and of the chart, and the commands of docs/deploy.md,
// before Kubernetes' own API server, which is built of its Go module (infra/engine). It validates strictly, and admits pods as a
// namespace of Pod Security `restricted` does.
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startApiServer } from '../engine/api-server.mjs';
import { testCluster } from '../engine/cluster/test-cluster.mjs';
import { manifestsIn } from '../engine/manifests.mjs';
import { operatorsKinds } from '../engine/operators-kinds.mjs';
import { goPrograms, hasGo } from '../engine/programs.mjs';
import { commandsOfPage } from './commands-of-page.mjs';
import { orEnd, step } from './steps.mjs';
import { root, say } from './workspace.mjs';

const RENDERED = 'infra/k8s/rendered';
const CHART = 'infra/helm/svc';
/** The chart with other values than its own. */
const VARIANTS = [
  ['--set', 'kafka.strimzi=false,kafka.port=9092'],
  ['--set', 'autoscaling.enabled=false,observability.enabled=false,ingress.enabled=false'],
  ['--set', 'ingress.tlsSecret=,objects.storageClassName=fast,image.tag=1.2.3'],
];

const { values: options } = parseArgs({
  options: {
    'api-server': { type: 'boolean', default: false },
    installed: { type: 'boolean', default: false },
    'other-tag': { type: 'string' },
  },
});
if (!options['api-server'])
  process.exit(
    (await testCluster({ isInstalled: options.installed, otherTag: options['other-tag'] })) ? 0 : 1,
  );
if (!hasGo()) {
  say('NOT RUN test:kubernetes: it builds the API server with Go 1.24 or newer, which this machine lacks.');
  process.exit(0);
}
const programs = await orEnd(goPrograms());
let run;
await step('starting the API server', async () => {
  run = await startApiServer(programs);
});

const totals = { passed: 0, failed: 0 };
/** @param objects how many are judged at once: kubectl names those that are refused. */
const check = (what, { status, stdout, stderr }, objects = 1) => {
  const problem = stderr.trim();
  const isRight = status === 0 && problem === '';
  totals[isRight ? 'passed' : 'failed'] += objects;
  if (!isRight) say(`FAILED ${what}\n${problem || stdout}`);
};
const apply = (objects, ...flags) =>
  run(
    'kubectl',
    ['apply', '--server-side', '--force-conflicts', '--validate=strict', ...flags, '--filename', '-'],
    { input: objects.map((object) => JSON.stringify(object)).join('\n---\n') },
  );
const checkAll = (what, objects, ...flags) => check(what, apply(objects, ...flags), objects.length);

checkAll('the kinds of the operators', operatorsKinds());
run('kubectl', ['wait', '--for=condition=Established', '--timeout=30s', 'crd', '--all']);

followPage();

for (const file of readdirSync(join(root, RENDERED)))
  judge(file, manifestsIn(readFileSync(join(root, RENDERED, file), 'utf8')));

const template = (flags) =>
  run('helm', [
    'template',
    'svc',
    join(root, CHART),
    '--namespace',
    'svc',
    '--kube-version',
    '1.34.0',
    ...flags,
  ]);
const rendered = template([]);
check('the chart', rendered);
const sorted = (text) => JSON.stringify(manifestsIn(text).sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)));
const kept = readFileSync(join(root, 'infra/helm/rendered.yaml'), 'utf8');
const isKept = sorted(rendered.stdout) === sorted(kept);
check('infra/helm/rendered.yaml is what the chart renders', {
  status: isKept ? 0 : 1,
  stdout: 'It is another.',
  stderr: '',
});
for (const flags of VARIANTS) judge(`the chart with ${flags.join(' ')}`, manifestsIn(template(flags).stdout));
check(
  'the chart is installed',
  run('helm', [
    'install',
    'svc',
    join(root, CHART),
    '--namespace',
    'svc',
    '--no-hooks',
    '--dry-run=server',
    '--take-ownership',
  ]),
);

say(`${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed > 0 ? 1 : 0);

/** The commands of docs/deploy.md, word by word, but for waits: without a node nothing gets ready. */
function followPage() {
  const folder = mkdtempSync(join(tmpdir(), 'svc-kubernetes-'));
  symlinkSync(join(root, 'infra'), join(folder, 'infra'));
  const [secrets, objects] = commandsOfPage('docs/deploy.md', 'Kubernetes');
  const commands = `${secrets}${objects}`.replace(/^kubectl .* wait .*$/gm, '');
  const { status, stderr } = run('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
  check('the commands of docs/deploy.md', { status, stdout: stderr, stderr: '' });
}

function idOf({ kind, metadata: { name } }) {
  return `${kind}/${name}`;
}

/** The namespace first, then all objects, then a pod of each that makes pods. */
function judge(what, manifests) {
  const namespace = manifests.find(({ kind }) => kind === 'Namespace');
  if (namespace !== undefined) {
    checkAll(`${what}: the namespace`, [namespace]);
    makeDefaultAccount(namespace.metadata.name);
    checkThatItJudges(namespace.metadata.name);
  }
  const objects = manifests.filter((manifest) => manifest !== namespace);
  for (const { kind, metadata } of objects.filter(({ kind }) => kind === 'Job'))
    // A Job cannot be changed: the last one goes first.
    run('kubectl', ['delete', kind, metadata.name, '--namespace', metadata.namespace, '--ignore-not-found']);
  checkAll(what, objects);
  const pods = objects.filter(({ spec }) => spec?.template?.spec?.containers !== undefined).map(podOf);
  checkAll(`${what}: its pods`, pods, '--dry-run=server');
}

/** Objects that must be refused are refused. */
function checkThatItJudges(namespace) {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'planted', namespace } };
  const planted = {
    'a pod that may be root': { ...pod, spec: { containers: [{ name: 'it', image: 'it:1' }] } },
    'an unknown field': { ...pod, kind: 'ConfigMap', datum: {} },
  };
  for (const [what, object] of Object.entries(planted)) {
    const { status } = apply([object], '--dry-run=server');
    check(`${what} is refused`, { status: status === 0 ? 1 : 0, stdout: 'It was taken.', stderr: '' });
  }
}

/** The account that a cluster's controllers make in each namespace. Pods that name no account need it. */
function makeDefaultAccount(namespace) {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
  checkAll(`the account default of ${namespace}`, [account]);
}

function podOf({ metadata: { name, namespace }, spec: { template, volumeClaimTemplates = [] } }) {
  const claimed = volumeClaimTemplates.map(({ metadata }) => ({ name: metadata.name, emptyDir: {} }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...template.metadata, name: `${name}-pod`, namespace },
    spec: { ...template.spec, volumes: [...(template.spec.volumes ?? []), ...claimed] },
  };
}
