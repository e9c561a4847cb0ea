import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDialog, useFormDone } from '../../../app/form-dialog';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { NumberField } from '../../../ui/fields/number-field';
import { type Schemas, useWrite } from '../../api/use-api';
import { text } from './text';

const words = text.ceilings;
const CEILING_MAX = 2_147_483_647;

export interface ChangeCeilingsProps {
  readonly organization: Schemas['PlatformOrganization'];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function ChangeCeilings({ organization, isOpen, onClose }: ChangeCeilingsProps): ReactElement {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={words.change}
      description={<p>{words.explanation}</p>}
    >
      <CeilingsForm organization={organization} />
    </FormDialog>
  );
}

function CeilingsForm({ organization }: Pick<ChangeCeilingsProps, 'organization'>): ReactElement {
  const { id, rate_limit_rpm: rpmBefore, rate_limit_tpm: tpmBefore } = organization;
  const [rpm, setRpm] = useState(rpmBefore);
  const [tpm, setTpm] = useState(tpmBefore);
  const isChanged = rpm !== rpmBefore || tpm !== tpmBefore;
  const cancel = useFormDialog(isChanged);
  const close = useFormDone();
  const params = { path: { organization_id: id } };
  const save = useWrite(
    (api, body: Schemas['PlatformOrganizationChange']) =>
      api.patch('/organizations/{organization_id}', { params, body }),
    { changes: ['/organizations'], says: words.done },
  );
  const submit = async () => {
    if (!save.isBusy && (await save.run({ rate_limit_rpm: rpm, rate_limit_tpm: tpm })) !== null) close();
  };
  const field = { hint: words.hint, min: 1, max: CEILING_MAX };
  return (
    <Form
      error={save.error}
      onSubmit={() => void submit()}
      actions={
        <>
          <Button onClick={cancel}>{text.cancel}</Button>
          <Button type="submit" variant="primary" isBusy={save.isBusy} isDisabled={!isChanged}>
            {words.action}
          </Button>
        </>
      }
    >
      <NumberField
        {...field}
        name="rate_limit_rpm"
        label={words.rpm}
        value={rpm}
        step={100}
        onChange={setRpm}
      />
      <NumberField
        {...field}
        name="rate_limit_tpm"
        label={words.tpm}
        value={tpm}
        step={10_000}
        onChange={setTpm}
      />
    </Form>
  );
}
