import { type ReactElement, useState } from 'react';
import { Group } from '../ui/fields/group';
import { Segmented } from '../ui/segmented/segmented';
import { WarningNote } from '../ui/states/notes';
import { type CatalogNames } from './catalog-names';
import { NameList } from './name-list';
import { allowedField, deniedField, type PolicyDocument, type Subject } from './policy';
import styles from './policies.module.css';
import { fieldWords, subjectWords, text } from './text';

interface AllowedNamesProps {
  readonly subject: Subject;
  readonly policy: PolicyDocument;
  readonly catalog: CatalogNames;
  readonly onChange: (change: Partial<PolicyDocument>) => void;
  /** Before the API's names of the fields, where the policy is a part of what is written. */
  readonly prefix?: string;
}

/** Which providers, regions or models may serve: all, only some, or all but some. */
export function AllowedNames(props: AllowedNamesProps): ReactElement {
  const { subject, policy, catalog, onChange, prefix = '' } = props;
  const { title, one, many } = subjectWords[subject];
  const [allowedName, deniedName] = [allowedField(subject), deniedField(subject)];
  const { [allowedName]: allowed, [deniedName]: denied } = policy;
  // "All but these" without a name is a policy that says "All".
  const [isExcepting, setExcepting] = useState(false);
  const mode = allowed !== null ? 'only' : denied.length > 0 || isExcepting ? 'except' : 'all';
  const list = { one, known: catalog[subject], marksUnknown: catalog.isWhole };
  const choose = (next: 'all' | 'only' | 'except') => {
    setExcepting(next === 'except');
    onChange({
      [allowedName]: next === 'only' ? [] : null,
      [deniedName]: next === 'all' || next === 'only' ? [] : denied,
    });
  };
  return (
    <Group name={prefix + allowedName}>
      <Group name={prefix + deniedName}>
        <div className={styles.subject}>
          <div className={styles.subjectHead}>
            <h3>{title}</h3>
            <Segmented
              label={text.lists.mode(title)}
              value={mode}
              onChange={choose}
              choices={(['all', 'only', 'except'] as const).map((value) => ({
                value,
                label: text.lists[value],
              }))}
            />
          </div>
          {mode === 'only' && (
            <>
              {allowed?.length === 0 && <WarningNote>{text.lists.onlyNone(many)}</WarningNote>}
              <NameList
                {...list}
                label={fieldWords[allowedName]}
                names={allowed ?? []}
                onChange={(names) => onChange({ [allowedName]: [...names] })}
              />
            </>
          )}
          {mode === 'only' && denied.length > 0 && <p>{text.lists.besides}</p>}
          {mode === 'except' && denied.length === 0 && <p className="muted">{text.lists.exceptNone(many)}</p>}
          {(mode === 'except' || (mode === 'only' && denied.length > 0)) && (
            <NameList
              {...list}
              label={fieldWords[deniedName]}
              names={denied}
              onChange={(names) => onChange({ [deniedName]: [...names] })}
            />
          )}
        </div>
      </Group>
    </Group>
  );
}
