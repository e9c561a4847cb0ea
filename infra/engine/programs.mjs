import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from '../local/clients/cache.mjs';
import { isOnPath } from '../local/servers/programs.mjs';
import { quietly } from '../local/steps.mjs';

const KUBERNETES = '1.34.4';
const HELM = '3.19.5';
/** Their main packages. Kubernetes itself requires the release of etcd that it is tested with. */
const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  helm: 'helm.sh/helm/v3/cmd/helm',
};

export const hasGo = () => isOnPath('go');

/**
 * Builds Kubernetes' API server with its etcd, kubectl and Helm of their Go modules, into a folder outside of the clone. The
 * first time takes 5 to 15 minutes, on two cores.
 * @returns the paths of the programs by name.
 */
export async function goPrograms() {
  const folder = await cached('engine', fileURLToPath(import.meta.url), async (target) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };
    await buildIn(
      join(target, 'modules/kubernetes'),
      ['etcd', 'kube-apiserver', 'kubectl'],
      kubernetesModule(env),
      {
        env,
        target,
      },
    );
    const module = `module helm\n\ngo 1.24\n\nrequire helm.sh/helm/v3 v${HELM}\n\ntool ${PACKAGES.helm}\n`;
    await buildIn(join(target, 'modules/helm'), ['helm'], module, { env, target });
  });
  return Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, join(folder, name)]));
}

async function buildIn(cwd, names, module, { env, target }) {
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'go.mod'), module);
  const go = (title, ...args) => quietly(title, 'go', ['-C', cwd, ...args], { env });
  await go(`modules of ${names.join(', ')}`, 'mod', 'tidy');
  for (const name of names) {
    const flags = ['-trimpath', '-ldflags', `-s -w ${versionFlags()}`];
    await go(`building ${name}`, 'build', ...flags, '-o', join(target, name), PACKAGES[name]);
  }
}

/** Its own go.mod points at folders beside it; those are published as modules of the same number. */
function kubernetesModule(env) {
  const module = ['mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES}`];
  const { GoMod } = JSON.parse(execFileSync('go', module, { env, encoding: 'utf8' }));
  const [, minor] = /^1\.(.+)$/.exec(KUBERNETES);
  const beside = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/\S+) => \.\/staging\//gm)];
  return [
    'module kubernetes',
    'go 1.24.0',
    'godebug default=go1.24',
    `require k8s.io/kubernetes v${KUBERNETES}`,
    ...beside.map(([, name]) => `replace ${name} => ${name} v0.${minor}`),
    ...['etcd', 'kube-apiserver', 'kubectl'].map((name) => `tool ${PACKAGES[name]}`),
  ].join('\n\n');
}

/** The version that the server reports: clients judge it by that. */
const versionFlags = () =>
  ['component-base', 'client-go/pkg']
    .map((part) => `k8s.io/${part}/version`)
    .flatMap((path) => [
      `-X ${path}.gitVersion=v${KUBERNETES}`,
      `-X ${path}.gitMajor=1`,
      `-X ${path}.gitMinor=${KUBERNETES.split('.')[1]}`,
    ])
    .join(' ');
