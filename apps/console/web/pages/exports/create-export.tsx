import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { usePreferences } from '../../browser/preferences';
import { fromInputTime, toInputTime } from '../../format/time';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { useOrganization } from '../../session/organization';
import { RadioGroup } from '../../ui/fields/check-field';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { exportKinds, permissionOf, type Kind, type NewExport } from './export';
import { kindWords, text } from './text';

const words = text.form;
const RANGE_MS = 7 * 24 * 3_600_000;

interface CreateExportProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateExport({ isOpen, onClose }: CreateExportProps): ReactElement {
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title}>
      <ExportForm />
    </FormDialog>
  );
}

interface Draft {
  readonly kind: Kind;
  readonly format: NewExport['format'];
  readonly compression: 'gzip' | 'none';
  readonly start: string;
  readonly end: string;
}

function ExportForm(): ReactElement {
  const { zone } = usePreferences();
  const { permissions } = useOrganization();
  const kinds = exportKinds.filter((kind) => permissions.includes(permissionOf[kind]));
  const [initial] = useState((): Draft => {
    const now = new Date();
    return {
      kind: kinds[0] ?? 'requests',
      format: 'csv',
      compression: 'gzip',
      start: toInputTime(new Date(now.getTime() - RANGE_MS), zone),
      end: toInputTime(now, zone),
    };
  });
  const [draft, setDraft] = useState(initial);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const create = useWrite((api, body: NewExport) => api.post('/exports', { body }), {
    changes: ['/exports', '/audit-log'],
    says: words.created,
  });
  const submit = async () => {
    const { start, end, ...rest } = draft;
    const from = start === '' ? null : fromInputTime(start, zone);
    const to = end === '' ? null : fromInputTime(end, zone);
    const range = { ...(from !== null && { start: from }), ...(to !== null && { end: to }) };
    if ((await create.run({ ...rest, ...range })) !== null) done();
  };
  return (
    <WriteForm
      approval="export.create"
      label={words.title}
      write={create}
      isChanged={draft !== initial}
      action={words.submit}
      onSubmit={() => void submit()}
    >
      <SelectField
        name="kind"
        label={words.kind}
        value={draft.kind}
        onChange={(kind) => set({ kind })}
        choices={kinds.map((value) => ({ value, label: kindWords[value] }))}
      />
      <FileFields draft={draft} onChange={set} />
    </WriteForm>
  );
}

interface FileFieldsProps {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

function FileFields({ draft, onChange }: FileFieldsProps): ReactElement {
  return (
    <>
      <TextField
        name="start"
        label={words.start}
        hint={words.rangeHint}
        type="datetime-local"
        value={draft.start}
        onChange={(start) => onChange({ start })}
      />
      <TextField
        name="end"
        label={words.end}
        type="datetime-local"
        value={draft.end}
        onChange={(end) => onChange({ end })}
      />
      <RadioGroup
        label={words.format}
        value={draft.format}
        onChange={(format) => onChange({ format })}
        choices={[
          { value: 'csv', label: words.formats.csv },
          { value: 'jsonl', label: words.formats.jsonl },
        ]}
      />
      <RadioGroup
        label={words.compression}
        value={draft.compression}
        onChange={(compression) => onChange({ compression })}
        choices={[
          { value: 'gzip', label: words.compressions.gzip },
          { value: 'none', label: words.compressions.none },
        ]}
      />
    </>
  );
}
