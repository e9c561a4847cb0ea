import { DEFAULT_POLICY } from '@svc/policy';
import { BookedLabels } from './booked-labels';

const labels = { user: 'u-1', metadata: { team: 'search' } };
const KEEPS_NOTHING = { ...DEFAULT_POLICY, retention: 'none' } as const;

describe('the labels of a call', () => {
  it('are booked as they are, and without a tag while none is declared', async () => {
    const booked = new BookedLabels(() => Promise.resolve(null));
    expect(await booked.of(labels, 'org_1', DEFAULT_POLICY)).toEqual({ labels, usageTag: null });
  });

  it('are not booked where the policy keeps nothing, but for the declared tag', async () => {
    const booked = new BookedLabels(() => Promise.resolve('team'));
    expect(await booked.of(labels, 'org_1', KEEPS_NOTHING)).toEqual({ labels: null, usageTag: 'search' });
  });

  it('follow the declaration of their organization once it changes, looked up once until then', async () => {
    const declared = new Map([
      ['org_1', 'team'],
      ['org_2', 'user'],
    ]);
    const lookups: string[] = [];
    const booked = new BookedLabels((organizationId) => {
      lookups.push(organizationId);
      return Promise.resolve(declared.get(organizationId) ?? null);
    });
    const tagOf = async (id: string) => (await booked.of(labels, id, DEFAULT_POLICY)).usageTag;
    expect(await Promise.all([tagOf('org_1'), tagOf('org_1'), tagOf('org_2')])).toEqual([
      'search',
      'search',
      'u-1',
    ]);
    declared.set('org_1', 'user').delete('org_2');
    booked.invalidate({ of: 'usageTag', organizationId: 'org_1' });
    expect([await tagOf('org_1'), await tagOf('org_2')]).toEqual(['u-1', 'u-1']);
    booked.invalidate({ of: 'anything' });
    expect([await tagOf('org_1'), await tagOf('org_2')]).toEqual(['u-1', null]);
    expect(lookups).toEqual(['org_1', 'org_2', 'org_1', 'org_1', 'org_2']);
  });
});
