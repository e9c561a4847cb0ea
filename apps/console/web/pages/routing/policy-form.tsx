import { type ReactElement } from 'react';
import { AllowedAddresses } from '../../policies/allowed-addresses';
import { AllowedNames } from '../../policies/allowed-names';
import { type CatalogNames } from '../../policies/catalog-names';
import { hasField, subjects, type PolicyDocument, type PolicyLevel } from '../../policies/policy';
import { affinityWords, credentialModeWords, retentionWords, sortWords } from '../../policies/text';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { NumberField } from '../../ui/fields/number-field';
import { LimitsOfCalls } from './limits-of-calls';
import styles from './routing.module.css';
import { text } from './text';

const ATTEMPTS_MAX = 10;

interface PolicyFieldsProps {
  readonly policy: PolicyDocument;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
}
interface LevelFieldsProps extends PolicyFieldsProps {
  readonly level: PolicyLevel;
}
interface PolicyFormProps extends LevelFieldsProps {
  readonly catalog: CatalogNames;
}

/** A policy, field by field: those that its level takes. */
export function PolicyForm({ level, policy, catalog, onChange }: PolicyFormProps): ReactElement {
  return (
    <div className={styles.form}>
      {subjects.map((subject) => (
        <AllowedNames key={subject} {...{ subject, policy, catalog, onChange }} />
      ))}
      {hasField(level, 'allowed_ips') && (
        <AllowedAddresses
          name="allowed_ips"
          addresses={policy.allowed_ips}
          onChange={(addresses) => onChange({ allowed_ips: addresses })}
        />
      )}
      <Group name="require_zero_retention">
        <Checkbox
          label={text.zeroRetention}
          note={text.zeroRetentionNote}
          isChecked={policy.require_zero_retention}
          onChange={(isOn) => onChange({ require_zero_retention: isOn })}
        />
      </Group>
      <Group name="require_end_user">
        <Checkbox
          label={text.requireEndUser}
          note={text.requireEndUserNote}
          isChecked={policy.require_end_user}
          onChange={(isOn) => onChange({ require_end_user: isOn })}
        />
      </Group>
      <LimitsOfCalls {...{ level, policy, onChange }} />
      {hasField(level, 'sort') && <Attempts {...{ policy, onChange }} />}
      <Retention {...{ level, policy, onChange }} />
    </div>
  );
}

/** In which order endpoints are tried, how many, and with whose credentials: the organization alone says so. */
function Attempts({ policy, onChange }: PolicyFieldsProps): ReactElement {
  return (
    <>
      <Group name="sort">
        <RadioGroup
          label={text.sort}
          value={policy.sort}
          onChange={(sort) => onChange({ sort })}
          choices={choicesOf(sortWords)}
        />
      </Group>
      <NumberField
        name="max_attempts"
        label={text.attempts}
        hint={text.attemptsHint}
        min={1}
        max={ATTEMPTS_MAX}
        value={policy.max_attempts}
        onChange={(attempts) => onChange({ max_attempts: attempts })}
      />
      <Group name="credential_mode">
        <RadioGroup
          label={text.credentials}
          value={policy.credential_mode}
          onChange={(mode) => onChange({ credential_mode: mode })}
          choices={choicesOf(credentialModeWords)}
        />
      </Group>
      <Group name="affinity">
        <RadioGroup
          label={text.affinity}
          value={policy.affinity}
          onChange={(affinity) => onChange({ affinity })}
          choices={choicesOf(affinityWords)}
        />
      </Group>
    </>
  );
}

const fromAbove = { above: text.retentionAbove } as const;

/** The retention of a call's content; below the organization it may be left to the levels above. */
function Retention({ level, policy, onChange }: LevelFieldsProps): ReactElement {
  const choices = level === 'organization' ? [] : choicesOf(fromAbove);
  return (
    <Group name="retention">
      <RadioGroup
        label={text.retention}
        value={policy.retention ?? 'above'}
        onChange={(retention) => onChange({ retention: retention === 'above' ? null : retention })}
        choices={[...choices, ...choicesOf(retentionWords)]}
      />
    </Group>
  );
}

interface Words {
  readonly label: string;
  readonly note: string;
}
const choicesOf = <Value extends string>(words: Readonly<Record<Value, Words>>) =>
  (Object.entries(words) as [Value, Words][]).map(([value, of]) => ({ value, ...of }));
