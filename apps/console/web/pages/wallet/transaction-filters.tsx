import { type ReactElement, useState } from 'react';
import { useInstantFilter } from '../../frame/instant-filter';
import { formatChoice } from '../../format/numbers';
import { Checkbox } from '../../ui/fields/check-field';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { FilterForm } from '../../ui/filters/filter-form';
import { walletRoute } from './route';
import { kindWords, text } from './text';
import { kinds, type TransactionKind } from './wallet';

type Address = ReturnType<typeof walletRoute.useSearch>;

/** The filters of the transactions. What they are set to is the address. */
export function TransactionFilters(): ReactElement {
  const { kind, after, before } = walletRoute.useSearch();
  const instantFilter = useInstantFilter();
  const navigate = walletRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const spans = (['after', 'before'] as const).map((key) =>
    instantFilter({
      key,
      label: text.filters[key],
      value: { after, before }[key],
      onChange: (at) => set({ [key]: at }),
    }),
  );
  const ofKind: Filter = {
    key: 'kind',
    label: text.filters.kind,
    value: kind === undefined ? null : formatChoice(kind.map((word) => kindWords[word])),
    onClear: () => set({ kind: undefined }),
    editor: (close) => (
      <KindEditor value={kind ?? []} onApply={(chosen) => (set({ kind: chosen }), close())} />
    ),
  };
  return <FilterBar filters={[ofKind, ...spans]} onClearAll={() => void navigate({ search: {} })} />;
}

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
