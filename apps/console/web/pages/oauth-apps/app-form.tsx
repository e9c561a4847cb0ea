import { type ReactElement, useState } from 'react';
import { type WriteState } from '../../api/writes';
import { WriteForm } from '../../frame/write-form';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { TextArea, TextField } from '../../ui/fields/text-field';
import { Result } from '../../ui/states/result';
import { linesOf, uriProblem, type OauthApp, type Scope } from './oauth-app';
import styles from './oauth-apps.module.css';
import { text, uriProblems } from './text';
import { useScopes } from './use-scopes';

export type AppDraft = Pick<OauthApp, 'name' | 'app_type' | 'redirect_uris' | 'scopes' | 'homepage'>;

interface AppFormProps {
  readonly initial: AppDraft;
  readonly isNew?: boolean;
  readonly write: WriteState;
  readonly onSubmit: (draft: AppDraft) => void;
}

const words = text.form;

/** The name of an app, the addresses that members come back to, and the scopes that it may ask for. */
export function AppForm({ initial, isNew = false, write, onSubmit }: AppFormProps): ReactElement {
  const first = typedOf(initial);
  const [draft, setDraft] = useState(first);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<Typed>) => setDraft((before) => ({ ...before, ...change }));
  const submit = () => {
    setTried(true);
    const read = readTyped(draft);
    if (read !== null) onSubmit(read);
  };
  return (
    <WriteForm
      approval={isNew ? 'oauth_app.create' : 'oauth_app.update'}
      label={isNew ? words.registerTitle : words.editTitle}
      write={write}
      isChanged={
        draft.name !== first.name ||
        draft.uris !== first.uris ||
        draft.homepage !== first.homepage ||
        draft.app_type !== first.app_type ||
        draft.scopes.join() !== first.scopes.join()
      }
      action={isNew ? words.register : words.save}
      onSubmit={submit}
    >
      <AppFields {...{ draft, isNew, isTried }} onChange={set} />
    </WriteForm>
  );
}

/** An app as it is typed. */
interface Typed extends Pick<AppDraft, 'name' | 'app_type' | 'scopes'> {
  readonly uris: string;
  readonly homepage: string;
}

const typedOf = ({ name, app_type, scopes, redirect_uris, homepage }: AppDraft): Typed => ({
  name,
  app_type,
  scopes,
  uris: redirect_uris.join('\n'),
  homepage: homepage ?? '',
});

/** @returns null while something is missing, or wrong. */
function readTyped({ name, app_type, scopes, uris, homepage }: Typed): AppDraft | null {
  const lines = linesOf(uris);
  if (name.trim() === '' || scopes.length === 0 || lines.length === 0 || wrongIn(lines) !== null) return null;
  const home = homepage.trim() === '' ? null : homepage.trim();
  return { name: name.trim(), app_type, redirect_uris: [...lines], scopes, homepage: home };
}

interface FieldsProps {
  readonly draft: Typed;
  readonly isNew: boolean;
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Typed>) => void;
}

function AppFields({ draft, isNew, isTried, onChange: set }: FieldsProps): ReactElement {
  const uris = linesOf(draft.uris);
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        hint={words.nameHint}
        value={draft.name}
        problem={isTried && draft.name.trim() === '' ? words.noName : null}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <Group name="app_type">
          <RadioGroup
            label={words.type}
            value={draft.app_type}
            onChange={(type) => set({ app_type: type })}
            choices={(['confidential', 'public'] as const).map((value) => ({ value, ...words.types[value] }))}
          />
        </Group>
      )}
      <TextArea
        name="redirect_uris"
        label={words.uris}
        hint={words.urisHint}
        rows={3}
        isCode
        value={draft.uris}
        problem={wrongIn(uris) ?? (isTried && uris.length === 0 ? words.noUri : null)}
        onChange={(typed) => set({ uris: typed })}
      />
      <Group name="scopes" problem={isTried && draft.scopes.length === 0 ? words.noScope : null}>
        <ScopeBoxes chosen={draft.scopes} onChange={(scopes) => set({ scopes })} />
      </Group>
      <TextField
        name="homepage"
        label={words.homepage}
        hint={words.homepageHint}
        inputMode="url"
        value={draft.homepage}
        onChange={(homepage) => set({ homepage })}
      />
    </>
  );
}

/** Said while it is typed. */
function wrongIn(uris: readonly string[]): string | null {
  for (const uri of uris) {
    const problem = uriProblem(uri);
    if (problem !== null) return words.uriProblem(uri, uriProblems[problem]);
  }
  return null;
}

function ScopeBoxes(props: {
  readonly chosen: readonly Scope[];
  readonly onChange: (scopes: Scope[]) => void;
}): ReactElement {
  const { chosen, onChange } = props;
  const scopes = useScopes();
  return (
    <fieldset className={styles.scopes}>
      <legend>{words.scopes}</legend>
      <Result of={scopes} lines={4}>
        {({ data }) =>
          data.map(({ scope, description }) => (
            <Checkbox
              key={scope}
              label={<code>{scope}</code>}
              note={description}
              isChecked={chosen.includes(scope)}
              onChange={(isOn) =>
                onChange(isOn ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            />
          ))
        }
      </Result>
    </fieldset>
  );
}
