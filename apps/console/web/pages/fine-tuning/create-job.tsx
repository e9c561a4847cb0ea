import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { useCatalog } from '../../api/use-catalog';
import { visibleText } from '../../format/visible-text';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { NumberField } from '../../ui/fields/number-field';
import { TextField } from '../../ui/fields/text-field';
import { Note } from '../../ui/states/notes';
import { text } from './text';
import { type NewJob } from './tuning';

const words = text.form;
/** As many files as an organization can have. */
const OFFERED = 100;

interface CreateJobProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateJob({ isOpen, onClose }: CreateJobProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <JobForm />
    </FormDialog>
  );
}

interface Draft {
  readonly model: string | null;
  readonly file: string | null;
  readonly validation: string | null;
  readonly epochs: number | null;
  readonly suffix: string;
}
const empty: Draft = { model: null, file: null, validation: null, epochs: null, suffix: '' };

/** The body of a new job. The catalog and the provider decide fields that are left out. */
const bodyOf = (draft: Draft, model: string, file: string): NewJob => ({
  model,
  training_file: file,
  ...(draft.validation !== null && { validation_file: draft.validation }),
  ...(draft.suffix.trim() !== '' && { suffix: draft.suffix.trim() }),
  ...(draft.epochs !== null && { hyperparameters: { n_epochs: draft.epochs } }),
});

function JobForm(): ReactElement {
  const [draft, setDraft] = useState(empty);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const create = useWrite((api, body: NewJob) => api.post('/fine-tuning/jobs', { body }), {
    changes: ['/fine-tuning/jobs', '/fine-tuning/files', '/wallet', '/audit-log'],
    says: words.created,
  });
  const { model, file } = draft;
  const submit = async () => {
    setTried(true);
    if (model === null || file === null) return;
    if ((await create.run(bodyOf(draft, model, file))) !== null) done();
  };
  return (
    <WriteForm
      approval="fine_tuning_job.create"
      label={words.title}
      write={create}
      isChanged={draft !== empty}
      action={words.submit}
      onSubmit={() => void submit()}
    >
      <JobFields {...{ draft, isTried }} onChange={set} />
      <Note>{words.held}</Note>
    </WriteForm>
  );
}

interface JobFieldsProps {
  readonly draft: Draft;
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

function JobFields({ draft, isTried, onChange }: JobFieldsProps): ReactElement {
  const catalog = useCatalog();
  const files = useRead('/fine-tuning/files', { params: { query: { limit: OFFERED } } });
  const models = catalog.data?.filter(({ fine_tuning: offers }) => offers !== undefined) ?? [];
  const fileChoices = (files.data?.data ?? []).map((file) => ({
    value: file.id,
    label: visibleText(file.filename),
    note: words.fileNote(file.line_count, file.token_count),
  }));
  return (
    <>
      <ComboboxField
        name="model"
        label={words.model}
        value={draft.model}
        problem={isTried && draft.model === null ? words.noModel : null}
        onChange={(model) => onChange({ model })}
        choices={models.map(({ id, display_name: name }) => ({
          value: id,
          label: id,
          note: visibleText(name),
        }))}
      />
      <ComboboxField
        name="training_file"
        label={words.file}
        value={draft.file}
        problem={isTried && draft.file === null ? words.noFile : null}
        onChange={(file) => onChange({ file })}
        choices={fileChoices}
      />
      <ComboboxField
        name="validation_file"
        label={words.validation}
        hint={words.validationHint}
        value={draft.validation}
        onChange={(validation) => onChange({ validation })}
        choices={fileChoices.filter(({ value }) => value !== draft.file)}
      />
      <NumberField
        name="hyperparameters.n_epochs"
        label={words.epochs}
        hint={words.epochsHint}
        min={1}
        value={draft.epochs}
        onChange={(epochs) => onChange({ epochs })}
      />
      <TextField
        name="suffix"
        label={words.suffix}
        hint={words.suffixHint}
        spellCheck={false}
        value={draft.suffix}
        onChange={(suffix) => onChange({ suffix })}
      />
    </>
  );
}
