import { type Policy } from '@svc/policy';
import { type Change } from '@svc/database';
import { type HoldRequest } from '@svc/ledger/store';
import { type CallLabels, usageTagIn } from '@svc/protocol';
import { LookupCache } from '../changes/lookup-cache';

const ORGANIZATIONS_MAX = 10_000;

type FindUsageTag = (organizationId: string) => Promise<string | null>;

/** The labels of calls that are booked, as their organizations have it. */
export class BookedLabels {
  /** The declared usage tags of organizations. Only calls with labels look them up. */
  private readonly usageTags = new LookupCache<string | null>(ORGANIZATIONS_MAX);

  constructor(private readonly findUsageTag: FindUsageTag) {}

  /**
   * Usage belongs to the books, so it is summed by the declared tag whatever the policy's retention
   * (docs/reference/routing-policy.md#retention).
   */
  async of(
    labels: CallLabels,
    organizationId: string,
    { retention }: Policy,
  ): Promise<Pick<HoldRequest, 'labels' | 'usageTag'>> {
    const declared = await this.usageTags.get(organizationId, () => this.findUsageTag(organizationId));
    return {
      labels: retention === 'none' ? null : labels,
      usageTag: declared === null ? null : usageTagIn(labels, declared),
    };
  }

  invalidate(change: Change): void {
    if (change.of === 'anything') this.usageTags.invalidateAll();
    else if (change.of === 'usageTag' || change.of === 'organization') {
      this.usageTags.invalidate(change.organizationId);
    }
  }
}
