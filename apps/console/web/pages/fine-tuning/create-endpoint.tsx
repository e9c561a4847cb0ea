import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { useCatalog } from '../../api/use-catalog';
import { formatExactMoney } from '../../format/money';
import { visibleText } from '../../format/visible-text';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { Note } from '../../ui/states/notes';
import { changeOf, defaultLimits, missingLimits, type Limits, type NewTunedEndpoint } from './endpoint';
import { endpointText } from './endpoint-text';
import { LimitFields } from './limit-fields';
import { text } from './text';
import { type TunedModel } from './tuning';

const words = endpointText.form;
/** As many as one page of the API has. */
const OFFERED = 100;

interface CreateEndpointProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateEndpoint({ isOpen, onClose }: CreateEndpointProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <EndpointForm />
    </FormDialog>
  );
}

interface Draft extends Limits {
  readonly model: string | null;
  readonly hardware: string | null;
}
const empty: Draft = { model: null, hardware: null, ...defaultLimits };

function EndpointForm(): ReactElement {
  const [draft, setDraft] = useState(empty);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const create = useWrite((api, body: NewTunedEndpoint) => api.post('/fine-tuning/endpoints', { body }), {
    changes: ['/fine-tuning/endpoints', '/audit-log'],
    says: words.created,
  });
  const { model, hardware } = draft;
  const submit = async () => {
    setTried(true);
    if (model === null || hardware === null || missingLimits(draft).size > 0) return;
    if ((await create.run({ model, hardware, ...changeOf(draft) })) !== null) done();
  };
  return (
    <WriteForm
      approval="fine_tuning_endpoint.create"
      label={words.title}
      write={create}
      isChanged={draft !== empty}
      action={words.submit}
      onSubmit={() => void submit()}
    >
      <MachineFields {...{ draft, isTried }} onChange={set} />
      <LimitFields limits={draft} isTried={isTried} onChange={set} />
      <Note>{words.free}</Note>
    </WriteForm>
  );
}

interface MachineFieldsProps {
  readonly draft: Draft;
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** The model, and the hardware that its provider has for it. */
function MachineFields({ draft, isTried, onChange }: MachineFieldsProps): ReactElement {
  const models = useRead('/fine-tuning/models', { params: { query: { limit: OFFERED } } });
  const chosen = models.data?.data.find(({ id }) => id === draft.model);
  const hardware = useHardware(chosen);
  return (
    <>
      <ComboboxField
        name="model"
        label={words.model}
        hint={words.modelHint}
        value={draft.model}
        problem={isTried && draft.model === null ? words.noModel : null}
        onChange={(model) => onChange({ model, hardware: null })}
        choices={(models.data?.data ?? []).map(({ id, provider, region }) => ({
          value: id,
          label: visibleText(id),
          note: visibleText(text.models.place(provider, region)),
        }))}
      />
      <ComboboxField
        name="hardware"
        label={words.hardware}
        value={draft.hardware}
        problem={isTried && draft.hardware === null ? words.noHardware : null}
        onChange={(id) => onChange({ hardware: id })}
        choices={hardware.map(({ id, price_per_hour_nanos: price }) => ({
          value: id,
          label: visibleText(id),
          note: words.anHour(formatExactMoney(price)),
        }))}
      />
    </>
  );
}

/** Offers of the catalog where the model was trained. */
function useHardware(model: TunedModel | undefined) {
  const catalog = useCatalog();
  const base = catalog.data?.find(({ id }) => id === model?.base_model);
  const offer = base?.fine_tuning?.find(
    ({ provider, region }) => provider === model?.provider && region === model.region,
  );
  return offer?.hardware ?? [];
}
