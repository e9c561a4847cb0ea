import { parseCatalog, type ModelEndpoint } from '@svc/catalog';
import { type AffinityEntry, DEFAULT_POLICY, type PlannedAttempt, type Policy } from '@svc/policy';
import { createMetrics, type Registry } from '@svc/runtime/observability';
import { catalogOf } from '../testing/edge-under-test';
import { Affinities } from './affinities';

const catalog = parseCatalog(catalogOf(['http://acme.test']), { file: '', env: {} });
const [endpoint] = [...catalog.models.values()].flatMap(({ endpoints }) => endpoints);
const attempt = (
  affinity?: PlannedAttempt['affinity'],
  changes: Partial<ModelEndpoint> = {},
): PlannedAttempt => ({
  endpoint: { ...endpoint!, ...changes },
  credential: 'own',
  pooled: { key: 'cred_1', weight: 100 },
  losses: [],
  omit: [],
  paidPartsOnly: false,
  ...(affinity !== undefined && { affinity }),
});
const ENTRY: AffinityEntry = { endpointId: 'elsewhere', credential: 'cred_2' };

describe('an answered turn of a conversation', () => {
  let registry: Registry;
  let kept: string[];
  let affinities: Affinities;
  beforeEach(() => {
    registry = createMetrics('edge');
    kept = [];
    affinities = new Affinities({ keepEntry: (_, entry) => void kept.push(entry) }, registry);
  });
  const answered = (
    entry: AffinityEntry | null,
    by: PlannedAttempt,
    affinity: Policy['affinity'] = 'always',
  ) => {
    affinities.answered(
      {
        affinity: { organizationId: 'org_1', key: 'hash', entry },
        terms: { policy: { ...DEFAULT_POLICY, affinity } },
      },
      by,
    );
  };
  const counted = async () =>
    Object.fromEntries(
      (await registry.getSingleMetric('svc_affinity_total')!.get()).values.map(({ labels, value }) => [
        labels['result'],
        value,
      ]),
    );

  it('is counted by whether the conversation stayed where it was', async () => {
    answered(null, attempt());
    answered(ENTRY, attempt('pinned'));
    answered(ENTRY, attempt('pinned'));
    answered(ENTRY, attempt('beside'));
    answered(ENTRY, attempt());
    expect(await counted()).toEqual({ miss: 1, hit: 2, passed_over: 2 });
  });

  it('is remembered where it was answered, at endpoints that conversations return to', () => {
    answered(null, attempt());
    expect(kept).toEqual([`${endpoint!.id}\ncred_1`]);
    answered(null, attempt(), 'auto');
    expect(kept).toHaveLength(1);
  });

  it('is nothing for a call that is part of no conversation', async () => {
    affinities.answered({ affinity: null, terms: { policy: DEFAULT_POLICY } }, attempt());
    expect([kept, await counted()]).toEqual([[], {}]);
  });
});
