import { type Bucket } from './bucket';
import { NO_LIMIT, type RateLimit } from './limits';

/** Whose buckets a call takes from: those of its key and its organization, and of each group. */
export interface BucketOwner {
  readonly apiKeyId: string;
  readonly organizationId: string;
  /** The key's two, the organization's two, then two of each group: requests before tokens. */
  readonly buckets: readonly Bucket[];
  /** The ids of the groups' records, in the order of their buckets. Absent: none. */
  readonly groupIds?: readonly string[];
}

/** Two more buckets that count a call, of a project or an end user. */
interface BucketGroup {
  /** Names their record within the organization. */
  readonly id: string;
  readonly buckets: readonly [Bucket, Bucket];
}

/** The limits of policies that count a call. Of a null one, and of one without a limit, there are no buckets. */
export interface FurtherLimits {
  /** The project of the call; null: none. */
  readonly projectId: string | null;
  readonly project: RateLimit | null;
  /** The end user of the call; null: none. */
  readonly endUserId: string | null;
  /** Of each end user of the organization. */
  readonly endUser: RateLimit | null;
  /** Of each end user of the project. */
  readonly endUserOfProject: RateLimit | null;
}

/**
 * The groups that count a call: at most three. One that limits requests or tokens alone has `NO_LIMIT` for the other: the organization's
 * bucket counts each of its calls too and is never larger, so that one neither refuses a call nor is the binding one.
 */
export function bucketGroups(limits: FurtherLimits): readonly BucketGroup[] {
  const { projectId, project, endUserId, endUser, endUserOfProject } = limits;
  const groups: BucketGroup[] = [];
  const add = (scope: BucketGroup['buckets'][0]['scope'], id: string, limit: RateLimit | null) => {
    if (limit === null || (limit.rpm === null && limit.tpm === null)) return;
    groups.push({
      id,
      buckets: [
        { scope, unit: 'requests', capacity: limit.rpm ?? NO_LIMIT },
        { scope, unit: 'tokens', capacity: limit.tpm ?? NO_LIMIT },
      ],
    });
  };
  if (projectId !== null) add('project', projectId, project);
  if (endUserId !== null) add('end_user', endUserId, endUser);
  if (endUserId !== null && projectId !== null)
    add('end_user', `${projectId}:${endUserId}`, endUserOfProject);
  return groups;
}

/** The owner, whose calls these groups count too. Without a group it is the owner itself. */
export function withBucketGroups<Owner extends BucketOwner>(
  owner: Owner,
  groups: readonly BucketGroup[],
): Owner {
  if (groups.length === 0) return owner;
  return {
    ...owner,
    buckets: [...owner.buckets, ...groups.flatMap(({ buckets }) => buckets)],
    groupIds: groups.map(({ id }) => id),
  };
}
