import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';

const read = (path: string): string => readFileSync(join(__dirname, path), 'utf8');

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** By kind and name. An absent list and an empty one are the same. */
const manifestsIn = (text: string): Map<string, Manifest> =>
  new Map(
    parseAllDocuments(text)
      .map((document) => document.toJS() as Manifest | null)
      .filter((manifest) => manifest !== null)
      .map((manifest) => [`${manifest.kind}/${manifest.metadata.name}`, manifest]),
  );

const chart = read('rendered.yaml');
const ofChart = manifestsIn(chart);
const ofKustomize = manifestsIn(read('../k8s/rendered/production.yaml'));
const JOB = 'Job/set-up';

describe('the Helm chart', () => {
  it('is made of these sources: run infra/helm/make.mjs after a change', () => {
    const sha256 = execFileSync(process.execPath, [join(__dirname, 'make.mjs'), 'sources'], {
      encoding: 'utf8',
    });
    expect(chart.split('\n', 1)[0]).toContain(sha256);
  });

  it('has the objects of overlays/production, but for the namespace, which comes first', () => {
    expect([...ofChart.keys()].sort()).toEqual(
      [...ofKustomize.keys()].filter((id) => id !== 'Namespace/svc').sort(),
    );
  });

  it.each([...ofChart.keys()].filter((id) => id !== JOB))('renders %s as kustomize does', (id) => {
    expect(ofChart.get(id)).toEqual(ofKustomize.get(id));
  });

  it('runs set-up as a hook: at an install after what it needs, at an upgrade before the new version', () => {
    const { metadata, ...job } = ofChart.get(JOB)!;
    const { annotations, ...others } = metadata;
    expect({ ...job, metadata: others }).toEqual(ofKustomize.get(JOB));
    expect(annotations).toEqual({
      'helm.sh/hook': 'post-install,pre-upgrade',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    });
  });
});

describe('the values', () => {
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('svc/values.schema.json')) as object);
  const defaults = parse(read('svc/values.yaml')) as Record<string, Record<string, unknown>>;
  const changed = (path: readonly [string, string?], value: unknown) => {
    const [name, field] = path;
    return { ...defaults, [name]: field === undefined ? value : { ...defaults[name], [field]: value } };
  };

  it('have defaults that their schema takes', () => {
    expect(isValid(defaults) ? [] : isValid.errors).toEqual([]);
  });

  it.each<[string, readonly [string, string?], unknown]>([
    ['an unknown name', ['replicaCount'], 2],
    ['an unknown name in a group', ['image', 'name'], 'svc'],
    ['an address with a path', ['baseUrl'], 'https://svc.example.com/gateway'],
    ['a server without addresses', ['postgresql', 'cidrs'], []],
    ['an address that is no block', ['redis', 'cidrs'], ['redis.example.com']],
    ['a port that is none', ['kafka', 'port'], 0],
    ['a variable that is no text', ['settings', 'services'], { SVC_TRUSTED_PROXIES: 2 }],
    ['a secret among the settings', ['settings', 'payments'], { SVC_STRIPE_SECRET_KEY: 'sk_live' }],
    ['no replica', ['replicas', 'edge'], 0],
  ])('are refused with %s', (_, path, value) => {
    expect(isValid(changed(path, value))).toBe(false);
  });
});
