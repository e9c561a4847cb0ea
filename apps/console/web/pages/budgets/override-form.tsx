import { type ReactElement, useState } from 'react';
import { useWrite } from '../../api/use-write';
import { usePreferences } from '../../browser/preferences';
import { formatMoney } from '../../format/money';
import { zoneName } from '../../format/time';
import { FormDialog, useFormDone } from '../../frame/form-dialog';
import { WriteForm } from '../../frame/write-form';
import { MoneyField } from '../../ui/fields/money-field';
import { TextField } from '../../ui/fields/text-field';
import { filledText } from '../../ui/text/filled';
import { type Budget, type Override } from './budget';
import { overrideDraftOf, readOverride, type OverrideDraft } from './override';
import { text } from './text';

const words = text.override;
const REASON_MAX = 500;

interface OverrideDialogProps {
  readonly budget: Budget;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Raises or lowers the amount of a budget until a time. */
export function OverrideDialog({ budget, isOpen, onClose }: OverrideDialogProps): ReactElement {
  const note = filledText(words.note, { amount: formatMoney(budget.amount_nanos) });
  return (
    <FormDialog isOpen={isOpen} onClose={onClose} title={words.title} description={note}>
      <OverrideForm budget={budget} />
    </FormDialog>
  );
}

function OverrideForm({ budget }: { readonly budget: Budget }): ReactElement {
  const { zone } = usePreferences();
  const done = useFormDone();
  const [initial] = useState(() => overrideDraftOf(budget, new Date(), zone));
  const [draft, setDraft] = useState(initial);
  const [isTried, setTried] = useState(false);
  const params = { path: { budget_id: budget.id } };
  const write = useWrite(
    (api, override: Override) => api.patch('/budgets/{budget_id}', { params, body: { override } }),
    { changes: ['/budgets', '/audit-log'], says: words.saved },
  );
  const { override, missing } = readOverride(draft, zone);
  const set = (change: Partial<OverrideDraft>) => setDraft((before) => ({ ...before, ...change }));
  const problem = (name: keyof OverrideDraft, sentence: string) =>
    isTried && missing.has(name) ? sentence : null;
  const submit = async () => {
    setTried(true);
    if (override !== null && (await write.run(override)) !== null) done();
  };
  return (
    <WriteForm
      approval="budget.update"
      label={words.title}
      write={write}
      isChanged={JSON.stringify(draft) !== JSON.stringify(initial)}
      action={words.save}
      onSubmit={() => void submit()}
    >
      <MoneyField
        name="override.amount_nanos"
        label={words.amount}
        value={draft.amount}
        problem={draft.amount.trim() === '' ? problem('amount', words.noAmount) : null}
        onChange={(amount) => set({ amount })}
      />
      <TextField
        name="override.until"
        label={words.until}
        hint={words.untilHint(zoneName(new Date(), zone))}
        type="datetime-local"
        value={draft.until}
        problem={problem('until', words.noUntil)}
        onChange={(until) => set({ until })}
      />
      <TextField
        name="override.reason"
        label={words.reason}
        maxLength={REASON_MAX}
        value={draft.reason}
        problem={problem('reason', words.noReason)}
        onChange={(reason) => set({ reason })}
      />
    </WriteForm>
  );
}
