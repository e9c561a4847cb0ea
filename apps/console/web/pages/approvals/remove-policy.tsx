import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { type ApprovalPolicy } from './approval';
import { text } from './text';

/** Deletes a policy, which waits for those who decide by it. */
export function RemovePolicy({
  policy,
  onClose,
}: {
  readonly policy: ApprovalPolicy | null;
  readonly onClose: () => void;
}): ReactElement {
  const words = text.remove;
  const remove = useWrite(
    (api, { id }: ApprovalPolicy) =>
      api.delete('/approval-policies/{approval_policy_id}', { params: { path: { approval_policy_id: id } } }),
    { changes: ['/approval-', '/audit-log'], says: words.done },
  );
  return <ConfirmWrite approval="always" write={remove} input={policy} onClose={onClose} words={words} />;
}
