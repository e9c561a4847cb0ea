import { isId } from '@svc/kernel';
import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDone } from '../../../frame/form-dialog';
import { WriteForm } from '../../../frame/write-form';
import { TextField } from '../../../ui/fields/text-field';
import { useWrite } from '../../api/use-api';
import { text } from './text';

const words = text.approvals;

interface DisablePolicyProps {
  readonly organizationId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Break-glass: nobody in the organization has to approve it. */
export function DisablePolicy({ organizationId, isOpen, onClose }: DisablePolicyProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={<p>{words.why}</p>}>
      <DisableForm organizationId={organizationId} />
    </FormDialog>
  );
}

function DisableForm({ organizationId }: Pick<DisablePolicyProps, 'organizationId'>): ReactElement {
  const [policyId, setPolicyId] = useState('');
  const [reason, setReason] = useState('');
  const [isTried, setTried] = useState(false);
  const close = useFormDone();
  const id = policyId.trim();
  const disable = useWrite(
    (api, why: string) =>
      api.post('/organizations/{organization_id}/approval-policies/{approval_policy_id}/disable', {
        params: { path: { organization_id: organizationId, approval_policy_id: id } },
        body: { reason: why },
      }),
    { changes: [], says: words.done },
  );
  const isWhole = isId('approvalPolicy', id) && reason.trim() !== '';
  const submit = async () => {
    setTried(true);
    if (isWhole && (await disable.run(reason.trim())) !== null) close();
  };
  return (
    <WriteForm
      write={disable}
      isChanged={policyId !== '' || reason !== ''}
      action={words.action}
      isDanger
      onSubmit={() => void submit()}
    >
      <TextField
        label={words.id}
        spellCheck={false}
        value={policyId}
        problem={isTried && !isId('approvalPolicy', id) ? words.badId : null}
        onChange={setPolicyId}
      />
      <TextField
        name="reason"
        label={words.reason}
        value={reason}
        problem={isTried && reason.trim() === '' ? text.grant.noReason : null}
        onChange={setReason}
      />
    </WriteForm>
  );
}
