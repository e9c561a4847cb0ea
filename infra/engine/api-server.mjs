import { spawn, spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePorts } from '../local/servers/background.mjs';

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 200;

/**
 * Kubernetes' API server over its etcd, and no node: enough to have every object judged by it. It ends with this process.
 * @param programs those of `goPrograms`.
 * @returns `run`, which runs kubectl, helm or another program as its administrator: `{ status, stdout, stderr }`.
 */
export async function startApiServer(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-api-server-'));
  const file = (name) => join(folder, name);
  const [etcdPort, peerPort, port] = await freePorts(3, []);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(file('accounts.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const secret = randomBytes(16).toString('hex');
  writeFileSync(file('users.csv'), `${secret},admin,admin,"system:masters"\n`, { mode: 0o600 });
  const [etcd, peer] = [etcdPort, peerPort].map((each) => `http://127.0.0.1:${each}`);
  const children = [
    launch(programs.etcd, file('etcd.log'), [
      ...['--data-dir', file('etcd'), '--unsafe-no-fsync', '--log-level', 'warn'],
      ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ]),
    launch(programs['kube-apiserver'], file('api-server.log'), [
      ...['--etcd-servers', etcd, '--bind-address', '127.0.0.1', '--secure-port', String(port)],
      ...['--cert-dir', folder, '--token-auth-file', file('users.csv'), '--authorization-mode', 'RBAC'],
      ...[
        '--service-account-key-file',
        file('accounts.key'),
        '--service-account-signing-key-file',
        file('accounts.key'),
      ],
      ...[
        '--service-account-issuer',
        'https://kubernetes.default.svc',
        '--service-cluster-ip-range',
        '10.96.0.0/16',
      ],
    ]),
  ];
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(file('kubeconfig'), kubeconfig({ port, secret, certificate: file('apiserver.crt') }), {
    mode: 0o600,
  });
  const PATH = [dirname(programs.kubectl), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH, KUBECONFIG: file('kubeconfig'), HELM_CACHE_HOME: file('helm') };
  const run = (program, args, { input, cwd } = {}) => {
    const { error, ...ended } = spawnSync(program, args, {
      env,
      cwd,
      input,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    if (error !== undefined) throw error;
    return ended;
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (run('kubectl', ['get', '--raw', '/readyz']).status !== 0) {
    const failed = children.some(({ exitCode }) => exitCode !== null);
    if (failed || Date.now() > deadline)
      throw new Error(`It did not start:\n${readFileSync(file('api-server.log'), 'utf8').slice(-4_000)}`);
    await pause(POLL_MS);
  }
  return run;
}

function launch(program, log, args) {
  const output = openSync(log, 'w');
  return spawn(program, args, { stdio: ['ignore', output, output] });
}

/** JSON is YAML. */
const kubeconfig = ({ port, secret, certificate }) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      { name: 'it', cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority': certificate } },
    ],
    users: [{ name: 'it', user: { token: secret } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'it' } }],
    'current-context': 'it',
  });
