import { type BucketOwner, bucketGroups, withBucketGroups } from '@svc/limits';
import { type CallContext } from '../context/call-context';

type LimitedCall = Pick<CallContext, 'caller' | 'current' | 'projectId' | 'endUser'>;

/** Whose buckets count a call: those of its caller, and those that its policies add for its project and its end user. */
export function bucketOwnerOf({ caller, current, projectId, endUser }: LimitedCall): BucketOwner {
  const { rates } = current.policy;
  if (rates === null) return caller;
  const groups = bucketGroups({
    projectId,
    project: rates.project,
    endUserId: endUser?.id ?? null,
    endUser: rates.endUser,
    endUserOfProject: rates.endUserInProject,
  });
  return withBucketGroups<BucketOwner>(caller, groups);
}
