import { type ReactElement, useState } from 'react';
import { InstantEditor } from '../../app/instant-editor';
import { usePreferences } from '../../app/preferences';
import { formatInstant } from '../../format/time';
import { formatChoice } from '../../format/numbers';
import { Button } from '../../ui/button/button';
import { Checkbox } from '../../ui/fields/check-field';
import { Form } from '../../ui/fields/form';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { walletRoute } from './route';
import { kindWords, text } from './text';
import { kinds, type TransactionKind } from './wallet';

type Address = ReturnType<typeof walletRoute.useSearch>;

/** The filters of the transactions. What they are set to is the address. */
export function TransactionFilters(): ReactElement {
  const { kind, after, before } = walletRoute.useSearch();
  const { zone } = usePreferences();
  const navigate = walletRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const spans = (['after', 'before'] as const).map((key): Filter => {
    const value = { after, before }[key];
    return {
      key,
      label: text.filters[key],
      value: value === undefined ? null : formatInstant(new Date(value), zone),
      onClear: () => set({ [key]: undefined }),
      editor: (close) => (
        <InstantEditor
          label={text.filters[key]}
          value={value}
          action={text.apply}
          onApply={(at) => (set({ [key]: at }), close())}
        />
      ),
    };
  });
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
    <Form
      error={null}
      onSubmit={() => props.onApply(chosen.length === 0 ? undefined : chosen)}
      actions={<Button type="submit">{text.apply}</Button>}
    >
      {kinds.map((kind) => (
        <Checkbox
          key={kind}
          label={kindWords[kind]}
          isChecked={chosen.includes(kind)}
          onChange={(isOn) => setChosen(kinds.filter((one) => (one === kind ? isOn : chosen.includes(one))))}
        />
      ))}
    </Form>
  );
}
