import { type ReactElement, useState } from 'react';
import { type components } from '../../api/generated/management';
import { useActiveProjects } from '../../api/use-active-projects';
import { useWrite } from '../../api/use-write';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { Form } from '../../ui/fields/form';
import { SelectField } from '../../ui/fields/select-field';
import { TextField } from '../../ui/fields/text-field';
import { WarningNote } from '../../ui/states/notes';
import { SecretField } from '../../ui/text/secret-field';
import { Step } from './step';
import { text } from './text';
import styles from './start.module.css';

export type MintedApiKey = components['schemas']['MintedApiKey'];

interface KeyStepProps {
  readonly minted: MintedApiKey | null;
  readonly onMinted: (minted: MintedApiKey | null) => void;
}

/** Creates a key that can call models, and shows its secret in place. */
export function KeyStep({ minted, onMinted }: KeyStepProps): ReactElement {
  return (
    <Step title={text.key.title} isDone={minted !== null}>
      {minted === null ? <NewKey onMinted={onMinted} /> : <Minted minted={minted} />}
    </Step>
  );
}

const WHOLE = 'none';

function NewKey({ onMinted }: { readonly onMinted: (minted: MintedApiKey) => void }): ReactElement {
  const words = text.key;
  const [name, setName] = useState<string>(words.defaultName);
  const [isTried, setTried] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const projects = useActiveProjects();
  const project = chosen ?? projects.at(-1)?.id ?? WHOLE;
  const create = useWrite(
    (api, projectId: string | null) =>
      api.post('/keys', {
        body: { name: name.trim(), project_id: projectId, scopes: ['inference:invoke'] },
      }),
    { changes: ['/keys'], says: words.created },
  );
  const submit = async () => {
    setTried(true);
    if (name.trim() === '' || create.isBusy) return;
    const minted = await create.run(project === WHOLE ? null : project);
    if (minted !== null) onMinted(minted);
  };
  return (
    <>
      <p className="muted">{words.what}</p>
      <Form
        approval="api_key.create"
        label={words.title}
        error={create.error}
        onSubmit={() => void submit()}
        actions={
          <Button type="submit" variant="primary" isBusy={create.isBusy}>
            {words.create}
          </Button>
        }
      >
        <div className={styles.fields}>
          <TextField
            name="name"
            label={words.name}
            value={name}
            onChange={setName}
            problem={isTried && name.trim() === '' ? words.noName : null}
          />
          <SelectField
            name="project_id"
            label={words.project}
            value={project}
            onChange={setChosen}
            choices={[
              ...projects.map(({ id, name: label }) => ({ value: id, label: visibleText(label) })),
              { value: WHOLE, label: words.wholeOrganization },
            ]}
          />
        </div>
      </Form>
    </>
  );
}

function Minted({ minted: { key, warning } }: { readonly minted: MintedApiKey }): ReactElement {
  return (
    <>
      <SecretField label={text.key.label} secret={key} />
      <WarningNote>
        {warning} {text.key.inPlace}
      </WarningNote>
    </>
  );
}
