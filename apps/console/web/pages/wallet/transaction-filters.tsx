import { type ReactElement, useState } from 'react';
import { formatChoice } from '../../format/numbers';
import { ListFilters } from '../../frame/list-filters';
import { Checkbox } from '../../ui/fields/check-field';
import { FilterForm } from '../../ui/filters/filter-form';
import { transactionList } from './list';
import { kindWords, text } from './text';
import { kinds, type TransactionKind } from './wallet';

const labels = text.filters;

export const TransactionFilters = (): ReactElement => (
  <ListFilters
    of={transactionList}
    chips={{
      kind: {
        label: labels.kind,
        shown: (chosen) => formatChoice(chosen.map((kind) => kindWords[kind])),
        editor: (chosen = [], onChange) => <KindEditor value={chosen} onApply={onChange} />,
      },
      after: { label: labels.after },
      before: { label: labels.before },
    }}
  />
);

function KindEditor(props: {
  readonly value: readonly TransactionKind[];
  readonly onApply: (kinds: readonly TransactionKind[] | undefined) => void;
}): ReactElement {
  const [chosen, setChosen] = useState(props.value);
  return (
    <FilterForm onApply={() => props.onApply(chosen.length === 0 ? undefined : chosen)}>
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={kindWords[kind]}
          isChecked={chosen.includes(kind)}
          onChange={(isOn) => setChosen(kinds.filter((one) => (one === kind ? isOn : chosen.includes(one))))}
        />
      ))}
    </FilterForm>
  );
}
