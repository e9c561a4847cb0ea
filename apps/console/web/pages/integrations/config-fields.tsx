import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { PeopleFields } from '../../frame/people-fields';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { CheckList } from '../../ui/fields/check-list';
import { Group } from '../../ui/fields/group';
import { TextArea, TextField } from '../../ui/fields/text-field';
import { readHeaders, type Draft, type Signal } from './draft';
import { isChat, type Integration } from './integration';
import { encodingWords, signalWords, text } from './text';

const words = text.form;

interface ConfigFieldsProps {
  readonly draft: Draft;
  /** Null for a new one, of which nothing is kept. */
  readonly integration: Integration | null;
  /** Whether saving was tried: then what is missing is told. */
  readonly isTried: boolean;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** Whether a field of the kind is missing, or cannot be read. */
export function isConfigMissing(draft: Draft, integration: Integration | null): boolean {
  const { kind } = draft;
  if (kind === 'email') return draft.roles.length + draft.members.length === 0;
  if (kind === 'pagerduty') return integration === null && draft.key.trim() === '';
  if (isChat(kind)) return integration === null && draft.url.trim() === '';
  const isUnread = draft.givesHeaders && readHeaders(draft.headers) === null;
  return draft.url.trim() === '' || draft.signals.length === 0 || isUnread;
}

/** The fields of the kind. A secret that is kept is not there to be read. */
export function ConfigFields(props: ConfigFieldsProps): ReactElement {
  const { draft, integration, isTried, onChange } = props;
  switch (draft.kind) {
    case 'slack':
    case 'discord':
    case 'teams':
      return (
        <UrlField {...props} hint={integration === null ? words.urlHints.channel : keptUrl(integration)} />
      );
    case 'pagerduty':
      return <PagerFields {...props} />;
    case 'email':
      return (
        <Group name="config" problem={isTried && isConfigMissing(draft, integration) ? words.nobody : null}>
          <PeopleFields labels={words} value={draft} onChange={onChange} />
        </Group>
      );
    case 'otlp':
      return <TelemetryFields {...props} />;
  }
}

const keptUrl = ({ config }: Integration): string => words.kept(visibleText(config.url ?? ''));

function UrlField(props: ConfigFieldsProps & { readonly hint: string }): ReactElement {
  const { draft, integration, isTried, hint, onChange } = props;
  const isMissing =
    draft.url.trim() === '' && draft.kind !== 'pagerduty' && isConfigMissing(draft, integration);
  return (
    <TextField
      name="config.url"
      label={words.url}
      hint={hint}
      inputMode="url"
      spellCheck={false}
      value={draft.url}
      problem={isTried && isMissing ? words.noUrl : null}
      onChange={(url) => onChange({ url })}
    />
  );
}

function PagerFields(props: ConfigFieldsProps): ReactElement {
  const { draft, integration, isTried, onChange } = props;
  const hint =
    integration === null
      ? words.keyHint
      : words.keyKept(visibleText(integration.config.routing_key?.last4 ?? ''));
  return (
    <>
      <TextField
        name="config.routing_key"
        label={words.key}
        hint={hint}
        type="password"
        autoComplete="off"
        value={draft.key}
        problem={isTried && isConfigMissing(draft, integration) ? words.noKey : null}
        onChange={(key) => onChange({ key })}
      />
      <UrlField {...props} hint={words.urlHints.pagerduty} />
    </>
  );
}

const signals: readonly Signal[] = ['traces', 'metrics'];

function TelemetryFields(props: ConfigFieldsProps): ReactElement {
  const { draft, integration, isTried, onChange } = props;
  return (
    <>
      <UrlField {...props} hint={words.urlHints.otlp} />
      {integration !== null && (
        <Checkbox
          label={words.replaceHeaders}
          note={namesOf(integration)}
          isChecked={draft.givesHeaders}
          onChange={(givesHeaders) => onChange({ givesHeaders })}
        />
      )}
      <Group name="config.headers">
        {draft.givesHeaders && (
          <TextArea
            label={words.headers}
            hint={words.headersHint}
            isCode
            value={draft.headers}
            problem={isTried && readHeaders(draft.headers) === null ? words.badHeaders : null}
            onChange={(headers) => onChange({ headers })}
          />
        )}
      </Group>
      <Group name="config.signals" problem={isTried && draft.signals.length === 0 ? words.noSignal : null}>
        <CheckList
          label={words.signals}
          choices={signals.map((value) => ({ value, label: signalWords[value] }))}
          chosen={draft.signals}
          onChange={(chosen) => onChange({ signals: chosen })}
        />
      </Group>
      <RadioGroup
        label={words.encoding}
        value={draft.encoding}
        onChange={(encoding) => onChange({ encoding })}
        choices={(['protobuf', 'json'] as const).map((value) => ({ value, label: encodingWords[value] }))}
      />
    </>
  );
}

/** `x-api-key …9f3c`. */
export function namesOf({ config: { headers = {} } }: Integration): string {
  const names = Object.entries(headers).map(([name, { last4 }]) =>
    last4 === '' ? name : `${name} …${last4}`,
  );
  return names.length === 0 ? text.one.none : visibleText(names.join(', '));
}
