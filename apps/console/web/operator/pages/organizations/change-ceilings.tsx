import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDialog, useFormDone } from '../../../frame/form-dialog';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { NumberField } from '../../../ui/fields/number-field';
import { type Schemas, useWrite } from '../../api/use-api';
import { text } from './text';

const words = text.ceilings;
const CEILING_MAX = 2_147_483_647;
const AT_A_TIME_MAX = 1_000;

const fields = [
  { name: 'rate_limit_rpm', label: words.rpm, min: 1, max: CEILING_MAX, step: 100 },
  { name: 'rate_limit_tpm', label: words.tpm, min: 1, max: CEILING_MAX, step: 10_000 },
  { name: 'fine_tuning_jobs_max', label: words.jobs, max: AT_A_TIME_MAX },
  { name: 'fine_tuning_endpoints_max', label: words.endpoints, max: AT_A_TIME_MAX },
] as const;
type CeilingName = (typeof fields)[number]['name'];
type Ceilings = Pick<Schemas['PlatformOrganizationChange'], CeilingName>;

interface ChangeCeilingsProps {
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
  // Only these are sent: another operator may have changed the others meanwhile.
  const [changed, setChanged] = useState<Ceilings>({});
  const current = (name: CeilingName) => (name in changed ? (changed[name] ?? null) : organization[name]);
  const isChanged = fields.some(({ name }) => current(name) !== organization[name]);
  const cancel = useFormDialog(isChanged);
  const close = useFormDone();
  const params = { path: { organization_id: organization.id } };
  const save = useWrite(
    (api, body: Ceilings) => api.patch('/organizations/{organization_id}', { params, body }),
    { changes: ['/organizations'], says: words.done },
  );
  const submit = async () => {
    if (isChanged && !save.isBusy && (await save.run(changed)) !== null) close();
  };
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
      {fields.map(({ name, ...field }) => (
        <NumberField
          key={name}
          {...field}
          name={name}
          hint={words.hint}
          value={current(name)}
          onChange={(value) => setChanged((before) => ({ ...before, [name]: value }))}
        />
      ))}
    </Form>
  );
}
