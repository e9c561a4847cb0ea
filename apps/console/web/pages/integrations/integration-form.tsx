import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { EventChoice } from '../../deliveries/event-choice';
import { isNoEvent } from '../../deliveries/events';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { Note } from '../../ui/states/notes';
import { ConfigFields, isConfigMissing } from './config-fields';
import { changeOf, draftOf, newIntegrationOf, type Draft } from './draft';
import { kinds, type Integration } from './integration';
import { kindWords, text } from './text';

const words = text.form;

interface IntegrationDialogProps {
  /** Null for a new one. */
  readonly integration: Integration | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates an integration, or changes one. Its kind stays. */
export function IntegrationDialog(props: IntegrationDialogProps): ReactElement {
  const { integration, isOpen, onClose } = props;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      size="large"
      title={integration === null ? words.createTitle : words.editTitle}
    >
      <IntegrationForm integration={integration} />
    </FormDialog>
  );
}

const useSave = (integration: Integration | null) =>
  useWrite(
    (api, draft: Draft) =>
      integration === null
        ? api.post('/integrations', { body: newIntegrationOf(draft) })
        : api.patch('/integrations/{integration_id}', {
            params: { path: { integration_id: integration.id } },
            body: changeOf(draft),
          }),
    {
      changes: ['/integrations', '/audit-log'],
      says: integration === null ? words.created : words.saved,
    },
  );

function IntegrationForm({ integration }: Pick<IntegrationDialogProps, 'integration'>): ReactElement {
  const [initial] = useState(() => draftOf(integration));
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const done = useFormDone();
  const save = useSave(integration);
  const isMessage = draft.kind !== 'otlp';
  const isNameless = draft.name.trim() === '';
  const submit = async () => {
    setTried(true);
    if (isNameless || (isMessage && isNoEvent(draft.events)) || isConfigMissing(draft, integration)) return;
    if ((await save.run(draft)) !== null) done();
  };
  return (
    <WriteForm
      approval={integration === null ? 'integration.create' : 'integration.update'}
      label={integration === null ? words.createTitle : words.editTitle}
      write={save}
      isChanged={draft !== initial}
      action={integration === null ? words.submit : words.save}
      onSubmit={() => void submit()}
    >
      {integration === null && (
        <SelectField
          name="kind"
          label={words.kind}
          value={draft.kind}
          onChange={(kind) => set({ kind })}
          choices={kinds.map((value) => ({ value, label: kindWords[value] }))}
        />
      )}
      <TextField
        name="name"
        label={words.name}
        value={draft.name}
        problem={isTried && isNameless ? words.noName : null}
        onChange={(name) => set({ name })}
      />
      <ConfigFields {...{ draft, integration, isTried }} onChange={set} />
      {draft.kind === 'pagerduty' && <Note>{words.pages}</Note>}
      {isMessage && (
        <EventChoice value={draft.events} onChange={(events) => set({ events })} isTried={isTried} />
      )}
    </WriteForm>
  );
}
