import { type ReactElement, useState } from 'react';
import { type WriteState } from '../../api/writes';
import { WriteForm } from '../../frame/write-form';
import { Checkbox, RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { MoneyField } from '../../ui/fields/money-field';
import { TextField } from '../../ui/fields/text-field';
import { type Budget } from './budget';
import { isSameDraft, missingIn, type BudgetDraft, type Missing } from './draft';
import { ScopeFields } from './scope-fields';
import { text } from './text';
import { WouldHave } from './would-have';

const words = text.form;

interface BudgetFormProps {
  readonly initial: BudgetDraft;
  /** The budget that is changed: its scope and period cannot. */
  readonly changed?: Budget;
  readonly write: WriteState;
  readonly onSubmit: (draft: BudgetDraft) => void;
}

/** The scope and amount of a budget, and its action when the amount is used up. */
export function BudgetForm({ initial, changed, write, onSubmit }: BudgetFormProps): ReactElement {
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const set = (change: Partial<BudgetDraft>) => setDraft((before) => ({ ...before, ...change }));
  const missing = missingIn(draft);
  const isNew = changed === undefined;
  const problem: Problem = (name, sentence) => (isTried && missing.has(name) ? sentence : null);
  return (
    <WriteForm
      approval={isNew ? 'budget.create' : 'budget.update'}
      label={isNew ? words.createTitle : words.editTitle}
      write={write}
      isChanged={!isSameDraft(draft, initial)}
      action={isNew ? words.create : words.save}
      onSubmit={() => {
        setTried(true);
        if (missing.size === 0) onSubmit(draft);
      }}
    >
      <BudgetFields {...{ draft, isNew, problem }} onChange={set} />
      <WouldHave draft={draft} {...(changed && { changed })} />
    </WriteForm>
  );
}

type Problem = (name: Missing, sentence: string) => string | null;

interface FieldsProps {
  readonly draft: BudgetDraft;
  readonly isNew: boolean;
  /** The sentence about a field that was left out, once it was tried to send it. */
  readonly problem: Problem;
  readonly onChange: (change: Partial<BudgetDraft>) => void;
}

function BudgetFields(props: FieldsProps): ReactElement {
  const { draft, isNew, problem, onChange: set } = props;
  return (
    <>
      <TextField
        name="name"
        label={words.name}
        value={draft.name}
        problem={problem('name', words.noName)}
        onChange={(name) => set({ name })}
      />
      {isNew && (
        <>
          <ScopeFields draft={draft} problem={problem('scope', words.noScope)} onChange={set} />
          <Group name="period">
            <RadioGroup
              label={words.period}
              value={draft.period}
              onChange={(period) => set({ period })}
              choices={(['day', 'week', 'month', 'quarter', 'session'] as const).map((value) => ({
                value,
                ...words.periods[value],
              }))}
            />
          </Group>
        </>
      )}
      <CapFields {...props} />
    </>
  );
}

/** The amount, and what happens before and when it is used up. */
function CapFields({ draft, problem, onChange: set }: FieldsProps): ReactElement {
  return (
    <>
      <MoneyField
        name="amount_nanos"
        label={words.amount}
        value={draft.amount}
        problem={
          draft.amount.trim() === '' || /^[$0.,\s]+$/.test(draft.amount)
            ? problem('amount', words.noAmount)
            : null
        }
        onChange={(amount) => set({ amount })}
      />
      <Group name="action">
        <RadioGroup
          label={words.action}
          value={draft.action}
          onChange={(action) => set({ action })}
          choices={(['block', 'warn'] as const).map((value) => ({ value, ...words.actions[value] }))}
        />
      </Group>
      <TextField
        name="warn_at_bps"
        label={words.warnAt}
        inputMode="decimal"
        value={draft.warnAt}
        problem={problem('warnAt', words.noWarnAt)}
        onChange={(warnAt) => set({ warnAt })}
      />
      <Checkbox
        label={words.enabled}
        note={words.enabledNote}
        isChecked={draft.enabled}
        onChange={(enabled) => set({ enabled })}
      />
    </>
  );
}
