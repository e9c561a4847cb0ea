import { type ReactElement, useState } from 'react';
import { FormDialog, useFormDialog, useFormDone } from '../../../frame/form-dialog';
import { Button } from '../../../ui/button/button';
import { Form } from '../../../ui/fields/form';
import { NumberField } from '../../../ui/fields/number-field';
import { type Schemas, useWrite } from '../../api/use-api';
import { text } from './text';

const CEILING_MAX = 2_147_483_647;
const AT_A_TIME_MAX = 1_000;
const BPS_MAX = 100_000;

type FigureName =
  | 'rate_limit_rpm'
  | 'rate_limit_tpm'
  | 'fine_tuning_jobs_max'
  | 'fine_tuning_endpoints_max'
  | 'price_bps'
  | 'own_credential_bps';
type Figures = Pick<Schemas['PlatformOrganizationChange'], FigureName>;

interface Figure {
  readonly name: FigureName;
  readonly label: string;
  readonly min?: number;
  readonly max: number;
  readonly step?: number;
}

const { ceilings, prices } = text;
const ceilingFields: readonly Figure[] = [
  { name: 'rate_limit_rpm', label: ceilings.rpm, min: 1, max: CEILING_MAX, step: 100 },
  { name: 'rate_limit_tpm', label: ceilings.tpm, min: 1, max: CEILING_MAX, step: 10_000 },
  { name: 'fine_tuning_jobs_max', label: ceilings.jobs, max: AT_A_TIME_MAX },
  { name: 'fine_tuning_endpoints_max', label: ceilings.endpoints, max: AT_A_TIME_MAX },
];
const priceFields: readonly Figure[] = [
  { name: 'price_bps', label: prices.platformBps, max: BPS_MAX, step: 100 },
  { name: 'own_credential_bps', label: prices.ownBps, max: BPS_MAX, step: 100 },
];

interface ChangeFiguresProps {
  readonly organization: Schemas['PlatformOrganization'];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}
interface Changed {
  readonly fields: readonly Figure[];
  readonly words: Readonly<Record<'change' | 'hint' | 'explanation' | 'action' | 'done', string>>;
}

/** How much of something the organization may use at a time, each with a default of the platform. */
export const ChangeCeilings = (props: ChangeFiguresProps): ReactElement => (
  <ChangeFigures {...props} fields={ceilingFields} words={ceilings} />
);

/** Prices of the organization's calls, in basis points of the catalog's prices. */
export const ChangePrices = (props: ChangeFiguresProps): ReactElement => (
  <ChangeFigures {...props} fields={priceFields} words={prices} />
);

function ChangeFigures(props: ChangeFiguresProps & Changed): ReactElement {
  const { organization, isOpen, onClose, ...changed } = props;
  const { change, explanation } = changed.words;
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={change} description={<p>{explanation}</p>}>
      <FiguresForm organization={organization} {...changed} />
    </FormDialog>
  );
}

function FiguresForm(props: Pick<ChangeFiguresProps, 'organization'> & Changed): ReactElement {
  const { organization, fields, words } = props;
  // Only these are sent: another operator may have changed the others meanwhile.
  const [changed, setChanged] = useState<Figures>({});
  const current = (name: FigureName) => (name in changed ? (changed[name] ?? null) : organization[name]);
  const isChanged = fields.some(({ name }) => current(name) !== organization[name]);
  const cancel = useFormDialog(isChanged);
  const close = useFormDone();
  const params = { path: { organization_id: organization.id } };
  const save = useWrite(
    (api, body: Figures) => api.patch('/organizations/{organization_id}', { params, body }),
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
