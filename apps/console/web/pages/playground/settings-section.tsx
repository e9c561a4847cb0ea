import { type ReactElement } from 'react';
import { useActiveProjects } from '../../api/use-active-projects';
import { visibleText } from '../../format/visible-text';
import { Section } from '../../frame/page';
import { Checkbox } from '../../ui/fields/check-field';
import { SelectField } from '../../ui/fields/select-field';
import { TextArea } from '../../ui/fields/text-field';
import { PageLink } from '../../ui/page-link';
import { Segmented } from '../../ui/segmented/segmented';
import { WarningNote } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { KeyChoice } from './key-choice';
import { ModelFields } from './model-fields';
import { ParameterFields } from './parameter-fields';
import { text } from './text';
import { useOmitted } from './use-omitted';
import { type PlaygroundSettings } from './use-settings';

const words = text.settings;

interface SettingsSectionProps {
  readonly settings: PlaygroundSettings;
  readonly isTried: boolean;
  readonly refused: ReadonlyMap<string, string>;
}

/** Everything about a call but its messages. */
export function SettingsSection({ settings, isTried, refused }: SettingsSectionProps): ReactElement {
  const { models, setAddress, operation, keyKind, pasted, canMint } = settings;
  const omitted = useOmitted(models, operation, settings.names);
  const keyChoice = (
    <KeyChoice
      canMint={canMint}
      kind={keyKind}
      secret={pasted.secret}
      isTried={isTried}
      onKind={settings.setKeyKind}
      onSecret={settings.setSecret}
    />
  );
  return (
    <Section title={words.title}>
      <Segmented
        label={words.route}
        value={operation === 'messages' ? 'messages' : 'chat'}
        onChange={(route) => setAddress({ route })}
        choices={[
          { value: 'chat', label: words.routes.chat },
          { value: 'messages', label: words.routes.messages },
        ]}
      />
      {!canMint && keyChoice}
      <Models settings={settings} />
      {keyKind === 'minted' && <ProjectField settings={settings} />}
      <TextArea label={words.system} value={settings.system} onChange={settings.setSystem} rows={3} />
      <Modes settings={settings} />
      <ParameterFields
        operation={operation}
        typed={settings.typed}
        others={settings.others}
        omitted={omitted}
        refused={refused}
        onType={settings.setParameter}
        onOthers={settings.setOthers}
      />
      {canMint && keyChoice}
    </Section>
  );
}

interface PartProps {
  readonly settings: PlaygroundSettings;
}

function Models({ settings: { offered, models, setAddress } }: PartProps): ReactElement | null {
  // Who may not read the catalog has to paste a key first.
  if (!offered.isEnabled) return null;
  return (
    <Result of={offered} lines={2}>
      {({ models: known, first }) => (
        <>
          {first === null && (
            <WarningNote>
              {words.none} <PageLink to="/routing">{words.routing}</PageLink>
            </WarningNote>
          )}
          <ModelFields offered={known} chosen={models} onChange={(model) => setAddress({ model })} />
        </>
      )}
    </Result>
  );
}

function Modes({ settings: { isStreamed, isStrict, setAddress } }: PartProps): ReactElement {
  return (
    <>
      <Checkbox
        label={words.stream}
        note={words.streamNote}
        isChecked={isStreamed}
        onChange={(stream) => setAddress({ stream: stream ? undefined : false })}
      />
      <Checkbox
        label={words.strict}
        note={words.strictNote}
        isChecked={isStrict}
        onChange={(strict) => setAddress({ strict: strict || undefined })}
      />
    </>
  );
}

const WHOLE = 'none';

/** The project that the key is bound to, and its calls are booked on. */
function ProjectField({ settings: { projectId, setAddress } }: PartProps): ReactElement {
  const projects = useActiveProjects();
  const isListed = projectId === null || projects.some(({ id }) => id === projectId);
  return (
    <SelectField
      label={words.project}
      value={projectId ?? WHOLE}
      onChange={(id) => setAddress({ project: id === WHOLE ? undefined : (id as typeof projectId & string) })}
      choices={[
        { value: WHOLE, label: words.wholeOrganization },
        ...(isListed ? [] : [{ value: projectId, label: projectId }]),
        ...projects.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
      ]}
    />
  );
}
