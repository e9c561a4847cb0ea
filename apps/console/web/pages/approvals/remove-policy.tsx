import { type ReactElement } from 'react';
import { useWrite } from '../../api/use-api';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
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
  const params = { path: { approval_policy_id: policy?.id ?? '' } };
  const remove = useWrite((api) => api.delete('/approval-policies/{approval_policy_id}', { params }), {
    changes: ['/approval-', '/audit-log'],
    says: words.done,
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = async () => {
    if ((await remove.run(undefined)) !== null) close();
  };
  return (
    <ConfirmDialog
      approval="always"
      isOpen={policy !== null}
      onClose={close}
      title={words.title}
      action={words.action}
      isBusy={remove.isBusy}
      error={remove.error}
      onConfirm={() => void confirm()}
    >
      <p>{words.effect}</p>
    </ConfirmDialog>
  );
}
