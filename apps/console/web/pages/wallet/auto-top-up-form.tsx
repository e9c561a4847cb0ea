import { type ReactElement, useState } from 'react';
import { useRead } from '../../api/use-api';
import { useWrite } from '../../api/use-write';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { MoneyField } from '../../ui/fields/money-field';
import { SelectField } from '../../ui/fields/select-field';
import { Note, WarningNote } from '../../ui/states/notes';
import {
  draftOf,
  readDraft,
  type AutoTopUp,
  type AutoTopUpDraft,
  type DraftProblem,
  type NewAutoTopUp,
} from './auto-top-up';
import { autoTopUpText, cardWords, problemWords } from './auto-top-up-text';
import { type Card } from './card';

const words = autoTopUpText.form;

interface AutoTopUpFormProps {
  readonly settings: AutoTopUp;
  readonly cards: readonly Card[];
}

interface AutoTopUpDialogProps extends AutoTopUpFormProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const titleOf = ({ enabled }: AutoTopUp): string => (enabled ? words.changeTitle : words.onTitle);

/** Switches automatic top-up on, or changes it while it is on. */
export const AutoTopUpDialog = ({ isOpen, onClose, ...form }: AutoTopUpDialogProps): ReactElement => (
  <FormDialog isOpen={isOpen} onClose={onClose} title={titleOf(form.settings)}>
    <AutoTopUpForm {...form} />
  </FormDialog>
);

function AutoTopUpForm({ settings, cards }: AutoTopUpFormProps): ReactElement {
  const [initial] = useState(() =>
    draftOf(
      settings,
      cards.map(({ id }) => id),
    ),
  );
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const done = useFormDone();
  const write = useWrite((api, body: NewAutoTopUp) => api.put('/wallet/auto-top-up', { body }), {
    changes: ['/wallet', '/audit-log'],
    says: settings.enabled ? words.saved : words.switchedOn,
  });
  const read = readDraft(draft);
  const submit = async () => {
    setTried(true);
    if (read.settings !== null && (await write.run(read.settings)) !== null) done();
  };
  return (
    <WriteForm
      approval="auto_top_up.update"
      label={titleOf(settings)}
      write={write}
      isChanged={JSON.stringify(draft) !== JSON.stringify(initial)}
      action={settings.enabled ? words.save : words.switchOn}
      onSubmit={() => void submit()}
    >
      <Fields
        draft={draft}
        cards={cards}
        problems={isTried ? read.problems : {}}
        onChange={(change) => setDraft((before) => ({ ...before, ...change }))}
      />
      <Note>{words.note}</Note>
      <ChargedAtOnce threshold={read.settings?.threshold_nanos ?? null} />
    </WriteForm>
  );
}

interface FieldsProps {
  readonly draft: AutoTopUpDraft;
  readonly cards: readonly Card[];
  readonly problems: Readonly<Partial<Record<keyof AutoTopUpDraft, DraftProblem>>>;
  readonly onChange: (change: Partial<AutoTopUpDraft>) => void;
}

function Fields({ draft, cards, problems, onChange }: FieldsProps): ReactElement {
  const problem = (field: keyof AutoTopUpDraft) => {
    const found = problems[field];
    return found === undefined ? null : problemWords[found];
  };
  return (
    <>
      <MoneyField
        name="threshold_nanos"
        label={words.threshold}
        value={draft.threshold}
        problem={problem('threshold')}
        onChange={(threshold) => onChange({ threshold })}
      />
      <MoneyField
        name="amount_nanos"
        label={words.amount}
        hint={words.amountHint}
        value={draft.amount}
        problem={problem('amount')}
        onChange={(amount) => onChange({ amount })}
      />
      <MoneyField
        name="monthly_cap_nanos"
        label={words.cap}
        hint={words.capHint}
        value={draft.cap}
        problem={problem('cap')}
        onChange={(cap) => onChange({ cap })}
      />
      <SelectField
        name="payment_method_id"
        label={words.card}
        value={draft.card}
        problem={problem('card')}
        choices={cards.map((card) => ({ value: card.id, label: cardWords(card) }))}
        onChange={(card) => onChange({ card })}
      />
    </>
  );
}

/** The wallet may be below the threshold already. */
function ChargedAtOnce({ threshold }: { readonly threshold: bigint | null }): ReactElement | null {
  const { data } = useRead('/wallet', {});
  if (data === undefined || threshold === null || data.available_nanos >= threshold) return null;
  return <WarningNote>{words.soon}</WarningNote>;
}
