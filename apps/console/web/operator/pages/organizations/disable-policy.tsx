import { isId } from '@svc/kernel';
import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDialog, useFormDone } from '../../../app/form-dialog';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { TextField } from '../../../ui/fields/text-field';
import { useWrite } from '../../api/use-api';
import { text } from './text';

const words = text.approvals;

export interface DisablePolicyProps {
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
  const cancel = useFormDialog(policyId !== '' || reason !== '');
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
    if (isWhole && !disable.isBusy && (await disable.run(reason.trim())) !== null) close();
  };
  return (
    <Form
      error={disable.error}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={cancel}>{text.cancel}</Button>
          <Button type="submit" variant="danger" isBusy={disable.isBusy}>
            {words.action}
          </Button>
        </>
      }
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
    </Form>
  );
}
