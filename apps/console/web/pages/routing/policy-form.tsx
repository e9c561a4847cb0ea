import { type ReactElement } from 'react';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { NumberField } from '../../ui/fields/number-field';
import { AllowedNames } from './allowed-names';
import { type CatalogNames } from './catalog-names';
import { LimitsOfCalls } from './limits-of-calls';
import { subjects, type PolicyDocument } from './policy';
import { credentialModeWords, retentionWords, sortWords, text } from './text';
import styles from './routing.module.css';

const ATTEMPTS_MAX = 10;

interface PolicyFormProps {
  readonly policy: PolicyDocument;
  readonly catalog: CatalogNames;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
}

/** A policy, field by field. */
export function PolicyForm({ policy, catalog, onChange }: PolicyFormProps): ReactElement {
  return (
    <div className={styles.form}>
      {subjects.map((subject) => (
        <AllowedNames key={subject} {...{ subject, policy, catalog, onChange }} />
      ))}
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
      <LimitsOfCalls {...{ policy, onChange }} />
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
      <Group name="retention">
        <RadioGroup
          label={text.retention}
          value={policy.retention}
          onChange={(retention) => onChange({ retention })}
          choices={choicesOf(retentionWords)}
        />
      </Group>
    </div>
  );
}

interface Words {
  readonly label: string;
  readonly note: string;
}
const choicesOf = <Value extends string>(words: Readonly<Record<Value, Words>>) =>
  (Object.entries(words) as [Value, Words][]).map(([value, of]) => ({ value, ...of }));
