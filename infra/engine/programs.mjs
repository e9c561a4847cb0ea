import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from '../local/clients/cache.mjs';
import { isOnPath } from '../local/servers/programs.mjs';
import { toolStep } from '../local/steps.mjs';

const KUBERNETES = '1.34.4';
const HELM = '3.19.5';
const TRAEFIK = '3.6.12';
/** Their main packages. Kubernetes itself requires the release of etcd that it is tested with. */
const PACKAGES = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
  helm: 'helm.sh/helm/v3/cmd/helm',
};

/** With the modules of their main packages. The one of Prometheus is 3.5.0, as in Compose. */
const MONITORING = {
  prometheus: [
    'github.com/prometheus/prometheus v0.305.0',
    'github.com/prometheus/prometheus/cmd/prometheus',
  ],
  adapter: ['sigs.k8s.io/prometheus-adapter v0.12.0', 'sigs.k8s.io/prometheus-adapter/cmd/adapter'],
};

const goEnvironment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod' };

export const hasGo = () => isOnPath('go');

/**
 * Builds Kubernetes' API server with its etcd, kubectl and Helm of their Go modules, into a folder outside of the clone. The
 * first time takes 5 to 15 minutes, on two cores.
 * @returns the paths of the programs by name.
 */
export async function goPrograms() {
  const folder = await cached('engine', fileURLToPath(import.meta.url), async (target) => {
    const { helm, ...kubernetes } = PACKAGES;
    await buildIn(target, 'kubernetes', kubernetes, kubernetesModule());
    await buildIn(target, 'helm', { helm }, moduleOf(`helm.sh/helm/v3 v${HELM}`, helm));
  });
  return Object.fromEntries(Object.keys(PACKAGES).map((name) => [name, join(folder, name)]));
}

/** Builds Prometheus and prometheus-adapter in the same way. @returns the paths of the programs by name. */
export async function monitoringPrograms() {
  const folder = await cached('monitoring', fileURLToPath(import.meta.url), async (target) => {
    for (const [name, [module, path]] of Object.entries(MONITORING))
      await buildIn(target, name, { [name]: path }, moduleOf(module, path));
  });
  return Object.fromEntries(Object.keys(MONITORING).map((name) => [name, join(folder, name)]));
}

/**
 * Builds Traefik without the 200 DNS providers that it knows for certificates: they are most of its modules, and an Ingress without
 * TLS asks none. Its go.mod points at a folder of its own, so it is built in a copy of its module.
 * @returns its path.
 */
export async function ingressProgram() {
  const folder = await cached('ingress', fileURLToPath(import.meta.url), async (target) => {
    const copy = join(target, 'modules/traefik');
    cpSync(downloaded(`github.com/traefik/traefik/v3@v${TRAEFIK}`).Dir, copy, { recursive: true });
    execFileSync('chmod', ['-R', 'u+w', copy]);
    leaveDnsOut(copy);
    const args = ['-C', copy, 'build', '-trimpath', '-ldflags', '-s -w', '-o', join(target, 'traefik')];
    await toolStep('building traefik', 'go', [...args, './cmd/traefik'], { env: goEnvironment });
  });
  return join(folder, 'traefik');
}

const NO_DNS = `package dns

import (
	"errors"

	"github.com/go-acme/lego/v4/challenge"
)

func NewDNSChallengeProviderByName(name string) (challenge.Provider, error) {
	return nil, errors.New("built without " + name)
}
`;

/** The one file that imports them gets a package in their place. */
function leaveDnsOut(copy) {
  mkdirSync(join(copy, 'pkg/dns'), { recursive: true });
  writeFileSync(join(copy, 'pkg/dns/dns.go'), NO_DNS);
  const file = join(copy, 'pkg/provider/acme/provider.go');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('go-acme/lego/v4/providers/dns"', 'traefik/traefik/v3/pkg/dns"'));
}

/** Builds programs, by the paths of their main packages, into a folder. @param module their go.mod. */
async function buildIn(target, title, packages, module) {
  const cwd = join(target, 'modules', title);
  mkdirSync(cwd, { recursive: true });
  writeFileSync(join(cwd, 'go.mod'), module);
  const go = (what, ...args) => toolStep(what, 'go', ['-C', cwd, ...args], { env: goEnvironment });
  await go(`modules of ${title}`, 'mod', 'tidy');
  for (const [name, path] of Object.entries(packages)) {
    const flags = ['-trimpath', '-ldflags', `-s -w ${versionFlags()}`];
    await go(`building ${name}`, 'build', ...flags, '-o', join(target, name), path);
  }
}

const moduleOf = (required, path) =>
  ['module it', 'go 1.24.0', `require ${required}`, `tool ${path}`].join('\n\n');

/** Its own go.mod points at folders beside it; those are published as modules of the same number. */
function kubernetesModule() {
  const { GoMod } = downloaded(`k8s.io/kubernetes@v${KUBERNETES}`);
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

/** @returns where a module was put, among others. */
const downloaded = (module) =>
  JSON.parse(
    execFileSync('go', ['mod', 'download', '-json', module], { env: goEnvironment, encoding: 'utf8' }),
  );

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
