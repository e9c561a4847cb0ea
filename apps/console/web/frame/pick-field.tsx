import { type ReactElement, useState } from 'react';
import { shortSubject } from '../format/ids';
import { visibleText } from '../format/visible-text';
import { useCan } from '../session/organization';
import { type Permission } from '../session/session';
import { type Choice } from '../ui/fields/choice';
import { ComboboxField } from '../ui/fields/combobox-field';
import { type FieldProps } from '../ui/fields/field';
import { TextField } from '../ui/fields/text-field';
import {
  useActorChoices,
  useAlertRuleChoices,
  useBudgetChoices,
  useEndUserChoices,
  useIntegrationChoices,
  useKeyChoices,
  useMemberChoices,
  useModelChoices,
  useProjectChoices,
  useProviderChoices,
  useSubjectChoices,
  useTargetChoices,
  useWebhookChoices,
  type UseChoices,
} from './choices';

interface PickProps extends FieldProps {
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  /** Whether what is typed can be taken as it is: an id that was pasted, or a name that no list has. */
  readonly takes: (typed: string) => boolean;
  /** Of a filter: it offers what takes no new calls, too, and keeps only what is chosen. */
  readonly isFilter?: boolean;
}

const fieldOf = (useChoices: UseChoices) =>
  function Pick(props: PickProps): ReactElement {
    const { value, onChange, takes, isFilter = false, ...field } = props;
    const [text, setText] = useState('');
    const typed = text.trim();
    const named = [...new Set([value ?? '', takes(typed) ? typed : ''])].filter((one) => one !== '');
    const found = useChoices({ typed, named, isPast: isFilter });
    const isExact = (choice: Choice<string>) => named.includes(choice.value) || named.includes(choice.label);
    const unlisted = named
      .filter((one) => !found.some((choice) => choice.value === one || choice.label === one))
      .map((one) => ({ value: one, label: visibleText(one === value ? shortSubject(one) : one) }));
    return (
      <ComboboxField
        {...field}
        value={value}
        onChange={onChange}
        onSearch={setText}
        choices={[...found.filter(isExact), ...found.filter((choice) => !isExact(choice)), ...unlisted]}
        // A form keeps what was typed and not chosen; of a filter, that is no answer yet.
        {...(!isFilter && { onLeave: () => typed !== '' && takes(typed) && onChange(typed) })}
      />
    );
  };

/** The kinds that have names, and who may read them. */
const kinds = {
  api_key: ['key:read', fieldOf(useKeyChoices)],
  project: ['project:read', fieldOf(useProjectChoices)],
  member: ['member:read', fieldOf(useMemberChoices)],
  model: ['catalog:read', fieldOf(useModelChoices)],
  provider: ['catalog:read', fieldOf(useProviderChoices)],
  end_user: ['usage:read', fieldOf(useEndUserChoices)],
  /** Any of those that a budget can be of. */
  subject: ['budget:read', fieldOf(useSubjectChoices)],
  budget: ['budget:read', fieldOf(useBudgetChoices)],
  webhook: ['webhook:write', fieldOf(useWebhookChoices)],
  integration: ['integration:read', fieldOf(useIntegrationChoices)],
  alert_rule: ['alert:read', fieldOf(useAlertRuleChoices)],
  /** Any of those that the audit log can be of. */
  actor: ['audit:read', fieldOf(useActorChoices)],
  target: ['audit:read', fieldOf(useTargetChoices)],
} as const satisfies Readonly<Record<string, readonly [Permission, (props: PickProps) => ReactElement]>>;
export type PickedKind = keyof typeof kinds;

/** Whether the role may read the names, so that it can pick. Else it types ids. */
export const useCanPick = (of: PickedKind): boolean => useCan(kinds[of][0]);

export interface PickFieldProps extends PickProps {
  readonly of: PickedKind;
}

/** One thing of the organization, found by typing its name, or by its id. */
export function PickField({ of, ...props }: PickFieldProps): ReactElement {
  const [, Field] = kinds[of];
  return <Field key={of} {...props} />;
}

/** The same in a form: a role that may not read the names types the id. */
export function PickOrTypeField(props: Omit<PickFieldProps, 'isFilter'>): ReactElement {
  if (useCanPick(props.of)) return <PickField {...props} />;
  const { of: _, takes: __, value, onChange, hint = words.idHint, ...field } = props;
  return (
    <TextField
      {...field}
      hint={hint}
      value={value ?? ''}
      onChange={(typed) => onChange(typed === '' ? null : typed)}
    />
  );
}

const words = { idHint: 'Enter the id. Your role cannot see names.' };
