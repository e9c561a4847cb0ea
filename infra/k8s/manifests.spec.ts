import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { variablesOf } from '../compose/service-variables';

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: object;
    readonly configMapKeyRef?: object;
    readonly fieldRef?: object;
  };
}
interface Probe {
  readonly httpGet?: { readonly path: string; readonly port: string };
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly env?: readonly Variable[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { name: string };
    readonly secretRef?: { name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly resources?: { readonly requests?: object; readonly limits?: object };
  readonly securityContext?: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}
interface SecretFiles {
  readonly optional?: boolean;
  /** Of all keys, where there are none. */
  readonly items?: readonly { readonly key: string; readonly path: string }[];
}
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: {
    readonly containers: readonly Container[];
    readonly terminationGracePeriodSeconds?: number;
    readonly securityContext?: object;
    readonly volumes?: readonly {
      readonly name: string;
      readonly configMap?: { readonly name: string };
      readonly secret?: SecretFiles & { readonly defaultMode: number };
      readonly projected?: {
        readonly defaultMode: number;
        readonly sources: readonly { readonly secret: SecretFiles & { readonly name: string } }[];
      };
    }[];
  };
}
interface Peer {
  readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>> };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
}
interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: PodTemplate;
    readonly selector: Selector & Readonly<Record<string, unknown>>;
    readonly ports: readonly { readonly targetPort: string }[];
    readonly scaleTargetRef: { readonly name: string };
    readonly podSelector: Selector;
    readonly egress?: readonly { readonly to?: readonly Peer[] }[];
    readonly rules: readonly { readonly host: string }[];
  };
}

interface KafkaSpec {
  readonly kafka: { readonly listeners: readonly { readonly port: number }[] };
}

const OVERLAYS = ['dev', 'production'] as const;
const SERVICES = ['edge', 'management', 'auth', 'console', 'dispatcher', 'worker'];
/** The drain time of the edge: `DRAIN_MS` of its module. */
const DRAIN_SECONDS = 30;
/** How long a service on a busy node may not answer before it is restarted. */
const STARVED_SECONDS = 300;
/** The longest answer on such a node. */
const ANSWER_SECONDS = 30;

const SECRETS_DIR = '/etc/svc/secrets';
const SECRET_NAME = /(KEY|KEY_ID|TOKEN|PASSWORD|SECRET|DATABASE_URL|REDIS_URL|SMTP_URL)$/;
/** Read by its owner alone; Kubernetes lets the pod's group read it too. */
const OWNER_READS = 0o400;

/** The variables that a pod has as files of their names. */
const filesOf = ({ spec }: PodTemplate): string[] =>
  (spec.volumes ?? []).flatMap(({ projected }) =>
    (projected?.sources ?? []).flatMap(({ secret }) => (secret.items ?? []).map(({ path }) => path)),
  );

const { kinds, definitions } = JSON.parse(
  readFileSync(join(__dirname, 'schemas/manifests.jsonschema'), 'utf8'),
) as { kinds: Record<string, object>; definitions: object };
const ajv = new Ajv({ strict: false, allErrors: true });
const validators = Object.fromEntries(
  Object.entries(kinds).map(([kind, schema]) => [kind, ajv.compile({ ...schema, definitions })]),
);

const textOf = (overlay: string): string =>
  readFileSync(join(__dirname, 'rendered', `${overlay}.yaml`), 'utf8');
const manifestsOf = (overlay: string): Manifest[] =>
  parseAllDocuments(textOf(overlay)).map((document) => document.toJS() as Manifest);

const sourceSha256 = (): string =>
  execFileSync(process.execPath, [join(__dirname, 'render.mjs'), 'sources'], { encoding: 'utf8' });

describe.each(OVERLAYS)('the overlay %s', (overlay) => {
  const manifests = manifestsOf(overlay);
  const named = (kind: string, name: string): Manifest | undefined =>
    manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  const workloads = manifests.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Job'].includes(kind));
  const containers = workloads.flatMap(({ metadata, spec }) =>
    spec.template.spec.containers.map((container) => [metadata.name, container] as const),
  );
  const ours = workloads
    .filter(({ metadata: { name } }) => [...SERVICES, 'set-up'].includes(name))
    .map(
      (workload) =>
        [workload.metadata.name, workload.spec.template, workload.spec.template.spec.containers[0]!] as const,
    );

  it('is rendered from these sources: run infra/k8s/render.mjs after a change', () => {
    expect(textOf(overlay).split('\n', 1)[0]).toContain(sourceSha256());
  });

  it('has only resources that conform to the schemas of Kubernetes and the operators', () => {
    for (const manifest of manifests) {
      const isValid = validators[`${manifest.apiVersion} ${manifest.kind}`];
      const problems = isValid?.(manifest) === true ? [] : (isValid?.errors ?? ['unknown kind']);
      expect([manifest.kind, manifest.metadata.name, problems]).toEqual([
        manifest.kind,
        manifest.metadata.name,
        [],
      ]);
    }
  });

  it('runs every separate service', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...SERVICES, 'set-up'].sort());
  });

  it('mounts the shipped catalog for edge, management and worker, in a ConfigMap of its own', () => {
    const readers = ours.filter(([, { spec }]) =>
      (spec.volumes ?? []).some(({ name }) => name === 'catalog'),
    );
    expect(readers.map(([name]) => name).sort()).toEqual(['edge', 'management', 'worker']);
    for (const [, { spec }, { volumeMounts = [] }] of readers) {
      const { configMap } = spec.volumes!.find(({ name }) => name === 'catalog')!;
      const shipped = readFileSync(join(__dirname, '../../config/catalog.yaml'), 'utf8');
      expect(named('ConfigMap', configMap!.name)?.data).toEqual({ 'catalog.yaml': shipped });
      expect(volumeMounts).toContainEqual({ name: 'catalog', mountPath: '/svc/config', readOnly: true });
    }
  });

  it.each(ours)(
    'gives %s variables that a service reads, and all that it requires',
    (name, template, container) => {
      const app = name === 'set-up' ? 'all-in-one' : name;
      const own = [
        ...(container.env ?? []).map((variable) => variable.name.replace(/_FILE$/, '')),
        ...filesOf(template),
      ];
      const settings = (container.envFrom ?? []).flatMap(({ configMapRef }) => {
        const map = configMapRef && named('ConfigMap', configMapRef.name);
        return Object.keys(map?.data ?? {});
      });
      const { read, required } = variablesOf(app);
      const someones = new Set([...SERVICES, 'all-in-one'].flatMap((each) => [...variablesOf(each).read]));
      expect(own.filter((variable) => !read.has(variable))).toEqual([]);
      expect(settings.filter((variable) => !someones.has(variable))).toEqual([]);
      expect(required.filter((variable) => ![...own, ...settings].includes(variable))).toEqual([]);
    },
  );

  it('contains no secret', () => {
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    const values = manifests.flatMap(({ kind, data = {} }) =>
      kind === 'ConfigMap' ? Object.keys(data) : [],
    );
    expect(values.filter((name) => SECRET_NAME.test(name))).toEqual([]);
  });

  it.each(containers)(
    'gives %s secrets as files, and none in its environment',
    (_, { env = [], envFrom = [] }) => {
      expect(env.filter(({ name, valueFrom }) => SECRET_NAME.test(name) || valueFrom?.secretKeyRef)).toEqual(
        [],
      );
      expect(envFrom.filter(({ secretRef }) => secretRef !== undefined)).toEqual([]);
    },
  );

  it.each(ours.filter(([name]) => name !== 'console'))(
    'lets the user of %s alone read its secrets, in the folder that its variable names',
    (name, { spec }, { volumeMounts = [] }) => {
      const { data } = named('ConfigMap', 'settings')!;
      expect(data!['SVC_SECRETS_DIR']).toBe(SECRETS_DIR);
      expect(volumeMounts).toContainEqual({ name: 'secrets', mountPath: SECRETS_DIR, readOnly: true });
      const volumes = spec.volumes!.filter((volume) => volume.projected ?? volume.secret);
      expect(volumes.find((volume) => volume.name === 'secrets')?.projected).toBeDefined();
      for (const { name: volume, projected, secret } of volumes)
        if (volume !== 'kafka-ca') expect((projected ?? secret)!.defaultMode).toBe(OWNER_READS);
      expect(spec.securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000 });
      for (const { secret } of volumes.flatMap(({ projected }) => projected?.sources ?? []))
        expect([name, secret.name, secret.items?.every(({ key, path }) => key === path) ?? true]).toEqual([
          name,
          secret.name,
          true,
        ]);
    },
  );

  it('is in a namespace that admits no pod with more privileges than it needs', () => {
    const [namespace, ...others] = manifests.filter(({ kind }) => kind === 'Namespace');
    expect(others).toEqual([]);
    expect(namespace).toMatchObject({
      metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
  });

  it.each(containers)('pins the image of %s and limits its resources', (_, { image, resources }) => {
    expect(image).toMatch(/:(v?\d+\.\d+\.?\d*(-\w+)?|local)$/);
    expect(resources).toMatchObject({
      requests: { cpu: expect.anything() as unknown },
      limits: { memory: expect.anything() as unknown },
    });
  });

  it.each(ours)('gives %s the least privileges', (_, template, container) => {
    expect(template.spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it.each(ours.filter(([name]) => name !== 'set-up'))(
    'asks %s how it is, on a port that it has',
    (_, { spec }, container) => {
      const { startupProbe, livenessProbe, readinessProbe, ports } = container;
      expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual([
        { path: '/healthz', port: 'http' },
        { path: '/healthz', port: 'http' },
        { path: '/readyz', port: 'http' },
      ]);
      expect(ports).toEqual([{ name: 'http', containerPort: 8080 }]);
      const delaySeconds = Number(named('ConfigMap', 'settings')!.data!['SVC_STOP_DELAY_SECONDS']);
      expect(delaySeconds).toBeGreaterThan(0);
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(delaySeconds + DRAIN_SECONDS);
    },
  );

  it.each(ours.filter(([name]) => name !== 'set-up'))(
    'restarts no %s in the middle of its streams because its node is busy',
    (_, __, { startupProbe, livenessProbe }) => {
      for (const { periodSeconds, failureThreshold } of [startupProbe!, livenessProbe!]) {
        expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(STARVED_SECONDS);
      }
      expect(livenessProbe!.timeoutSeconds).toBeGreaterThanOrEqual(ANSWER_SECONDS);
    },
  );

  it('selects, scales, protects and mounts only what exists', () => {
    const isThere = (labels: Readonly<Record<string, unknown>>): boolean =>
      workloads.some(({ spec }) =>
        Object.entries(labels).every(([key, value]) => spec.template.metadata.labels[key] === value),
      );
    for (const { kind, metadata, spec } of manifests) {
      if (kind === 'Service') expect([metadata.name, isThere(spec.selector)]).toEqual([metadata.name, true]);
      if (kind === 'PodDisruptionBudget') expect(isThere(spec.selector.matchLabels ?? {})).toBe(true);
      if (kind === 'HorizontalPodAutoscaler')
        expect(named('Deployment', spec.scaleTargetRef.name)).toBeDefined();
    }
    const maps = workloads.flatMap(({ spec: { template } }) => [
      ...template.spec.containers.flatMap(({ envFrom = [] }) =>
        envFrom.flatMap(({ configMapRef }) => configMapRef?.name ?? []),
      ),
      ...(template.spec.volumes ?? []).flatMap(({ configMap }) => configMap?.name ?? []),
    ]);
    expect(maps.filter((name) => named('ConfigMap', name) === undefined)).toEqual([]);
  });

  it('lets the dispatcher reach the internet, PostgreSQL, Kafka and DNS, and nothing else in the cluster', () => {
    const policies = manifests.filter(
      ({ kind, spec }) => kind === 'NetworkPolicy' && selects(spec.podSelector, 'dispatcher'),
    );
    const peers = policies.flatMap(({ spec }) => (spec.egress ?? []).flatMap(({ to }) => to ?? [{}]));
    const internet = peers.filter(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0');
    expect(internet).toHaveLength(1);
    for (const block of [
      '10.0.0.0/8',
      '172.16.0.0/12',
      '192.168.0.0/16',
      '100.64.0.0/10',
      '169.254.0.0/16',
    ]) {
      expect(internet[0]!.ipBlock!.except).toContain(block);
    }
    const pods = peers.flatMap(({ podSelector }) =>
      podSelector ? Object.entries(podSelector.matchLabels ?? { every: 'pod' }) : [],
    );
    const allowed = {
      dev: ['app.kubernetes.io/name=postgres', 'app.kubernetes.io/name=kafka'],
      production: ['strimzi.io/cluster=svc'],
    }[overlay];
    expect(pods.map((pair) => pair.join('=')).sort()).toEqual([...allowed, 'k8s-app=kube-dns'].sort());
    const addresses = peers.flatMap(({ ipBlock }) => ipBlock?.cidr ?? []).sort();
    const others = {
      // Its receivers may be on this machine: SVC_WEBHOOK_ALLOW_PRIVATE.
      dev: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
      production: ['192.0.2.0/28'],
    }[overlay];
    expect(addresses).toEqual(['0.0.0.0/0', '2000::/3', ...others].sort());
    expect(named('ConfigMap', 'webhooks')?.data).toEqual({
      SVC_WEBHOOK_ALLOW_PRIVATE: String(overlay === 'dev'),
    });
  });

  it('logs in to an operator’s Kafka as the user that is created for it', () => {
    const events = named('ConfigMap', 'events')!.data!;
    if (overlay === 'dev') return expect(Object.keys(events)).toEqual(['SVC_KAFKA_BROKERS']);
    const kafka = named('Kafka', 'svc')!.spec as unknown as KafkaSpec;
    expect(kafka.kafka.listeners).toMatchObject([
      { tls: true, authentication: { type: events['SVC_KAFKA_SASL_MECHANISM'] } },
    ]);
    expect(events).toMatchObject({
      SVC_KAFKA_BROKERS: `svc-kafka-bootstrap:${String(kafka.kafka.listeners[0]!.port)}`,
      SVC_KAFKA_SSL: 'true',
    });
    expect(named('KafkaUser', events['SVC_KAFKA_SASL_USERNAME']!)?.spec).toMatchObject({
      authentication: { type: events['SVC_KAFKA_SASL_MECHANISM'] },
      authorization: {
        acls: [
          { resource: { name: named('KafkaTopic', 'svc.events.v1')!.metadata.name } },
          { resource: { name: named('KafkaTopic', 'svc.calls.v1')!.metadata.name } },
          {},
        ],
      },
    });
    for (const [name, { spec }, { volumeMounts = [] }] of ours) {
      const folders = volumeMounts
        .filter((mount) => mount.name === 'kafka-ca')
        .map((mount) => mount.mountPath);
      const volume = (spec.volumes ?? []).find((each) => each.name === 'kafka-ca');
      if (!['dispatcher', 'edge', 'worker'].includes(name))
        expect([folders, volume]).toEqual([[], undefined]);
      else {
        const file = volume!.secret!.items![0]!.path;
        expect(folders.map((folder) => `${folder}/${file}`)).toEqual([events['SVC_KAFKA_CA_FILE']]);
      }
    }
  });

  it('denies all traffic to and from pods that no policy allows', () => {
    expect(named('NetworkPolicy', 'nothing-else')?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'svc' } },
      policyTypes: ['Ingress', 'Egress'],
    });
    for (const { spec } of workloads)
      expect(spec.template.metadata.labels).toMatchObject({ 'app.kubernetes.io/part-of': 'svc' });
  });

  it('changes the owner of the files of a volume only where it is another', () => {
    const ofVolumes = workloads.filter(({ spec }) => {
      const { volumes = [] } = spec.template.spec;
      return 'volumeClaimTemplates' in spec || volumes.some((volume) => 'persistentVolumeClaim' in volume);
    });
    expect(ofVolumes.length).toBeGreaterThan(1);
    for (const { spec } of ofVolumes) {
      expect(spec.template.spec.securityContext).toMatchObject({ fsGroupChangePolicy: 'OnRootMismatch' });
    }
  });

  it('has the address that the Ingress serves', () => {
    const url = new URL(named('ConfigMap', 'settings')!.data!['SVC_BASE_URL']!);
    expect(named('Ingress', 'svc')!.spec.rules.map(({ host }) => host)).toEqual([url.hostname]);
  });
});

it('dev fits on a laptop: all its pods ask for one processor at most', () => {
  const asked = manifestsOf('dev').flatMap(({ kind, spec }) =>
    ['Deployment', 'StatefulSet', 'Job'].includes(kind)
      ? spec.template.spec.containers.map(({ resources }) => (resources?.requests as { cpu: string }).cpu)
      : [],
  );
  expect(asked.length).toBeGreaterThan(10);
  for (const cpu of asked) expect(cpu).toMatch(/^\d+m$/);
  expect(asked.reduce((sum, cpu) => sum + parseInt(cpu), 0)).toBeLessThanOrEqual(1_000);
});

const selects = ({ matchLabels = {}, matchExpressions = [] }: Selector, name: string): boolean =>
  Object.entries(matchLabels).every(([key, value]) => key !== 'app.kubernetes.io/name' || value === name) &&
  matchExpressions.every(({ key, values }) => key !== 'app.kubernetes.io/name' || values.includes(name));
