import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { ConfirmWrite } from '../../frame/confirm-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { useCan } from '../../session/organization';
import { useSession } from '../../session/session-store';
import { Button } from '../../ui/button/button';
import { TextField } from '../../ui/fields/text-field';
import { isOpen, type ApprovalRequest } from './approval';
import { text } from './text';

type Decision = 'approve' | 'reject';

const changes = ['/approval-', '/audit-log', '/budgets', '/keys', '/policy', '/projects', '/members'];
const COMMENT_MAX = 500;

/** Actions on a request that waits, for those who may decide. */
export function DecisionButtons({ request }: { readonly request: ApprovalRequest }): ReactElement | null {
  const [open, setOpen] = useState<Decision | 'cancel' | null>(null);
  const { user } = useSession();
  const canDecide = useCan('approval:decide');
  const canWrite = useCan('approval:write');
  if (!isOpen(request)) return null;
  const isOwn = request.requested_by.user_id === user.id;
  const disabledReason = isOwn ? text.decide.own : null;
  const close = () => setOpen(null);
  return (
    <>
      {(isOwn || canWrite) && <Button onClick={() => setOpen('cancel')}>{text.withdraw.action}</Button>}
      {canDecide && (
        <>
          <Button variant="danger" disabledReason={disabledReason} onClick={() => setOpen('reject')}>
            {text.decide.reject}
          </Button>
          <Button variant="primary" disabledReason={disabledReason} onClick={() => setOpen('approve')}>
            {text.decide.approve}
          </Button>
          <Decide id={request.id} decision="approve" isOpen={open === 'approve'} onClose={close} />
          <Decide id={request.id} decision="reject" isOpen={open === 'reject'} onClose={close} />
        </>
      )}
      <Withdraw id={request.id} isOpen={open === 'cancel'} onClose={close} />
    </>
  );
}

interface DecideProps {
  readonly id: string;
  readonly decision: Decision;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Decide({ id, decision, isOpen: isShown, onClose }: DecideProps): ReactElement {
  const words = text.decide;
  return (
    <FormDialog
      isOpen={isShown}
      onClose={onClose}
      title={decision === 'approve' ? words.approveTitle : words.rejectTitle}
      description={decision === 'approve' ? words.approveNote : words.rejectNote}
    >
      <DecisionForm id={id} decision={decision} />
    </FormDialog>
  );
}

function DecisionForm({ id, decision }: Pick<DecideProps, 'id' | 'decision'>): ReactElement {
  const words = text.decide;
  const [comment, setComment] = useState('');
  const done = useFormDone();
  const params = { path: { approval_request_id: id } };
  const decide = useWrite(
    (api, body: { comment?: string }) =>
      decision === 'approve'
        ? api.post('/approval-requests/{approval_request_id}/approve', { params, body })
        : api.post('/approval-requests/{approval_request_id}/reject', { params, body }),
    { changes, says: decision === 'approve' ? words.approved : words.rejected },
  );
  const submit = async () => {
    const said = comment.trim();
    if ((await decide.run(said === '' ? {} : { comment: said })) !== null) done();
  };
  return (
    <WriteForm
      write={decide}
      isChanged={comment !== ''}
      action={words[decision]}
      isDanger={decision === 'reject'}
      onSubmit={() => void submit()}
    >
      <TextField
        name="comment"
        label={words.comment}
        hint={words.commentHint}
        value={comment}
        onChange={setComment}
        maxLength={COMMENT_MAX}
      />
    </WriteForm>
  );
}

function Withdraw({ id, isOpen: isShown, onClose }: Omit<DecideProps, 'decision'>): ReactElement {
  const words = text.withdraw;
  const params = { path: { approval_request_id: id } };
  const cancel = useWrite((api) => api.post('/approval-requests/{approval_request_id}/cancel', { params }), {
    changes,
    says: words.done,
  });
  return <ConfirmWrite write={cancel} isOpen={isShown} onClose={onClose} words={words} />;
}
