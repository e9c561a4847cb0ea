import { isId } from '@svc/kernel';
import { type ReactElement, useState } from 'react';
import { shortId } from '../../format/ids';
import { Button } from '../../ui/button/button';
import { TextField } from '../../ui/fields/text-field';
import { Form } from '../../ui/fields/form';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar, type Filter } from '../../ui/filters/filter-bar';
import { oauthAppsRoute } from './route';
import { stateWords, text } from './text';

type Address = ReturnType<typeof oauthAppsRoute.useSearch>;
const labels = text.filters;
const kinds = { app: 'oauthApp', user: 'user' } as const;

/** The filters of the grants. What they are set to is the address. */
export function GrantFilters(): ReactElement {
  const { app, user, state } = oauthAppsRoute.useSearch();
  const navigate = oauthAppsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const byId = (['app', 'user'] as const).map((key): Filter => {
    const value = { app, user }[key];
    return {
      key,
      label: labels[key],
      value: value === undefined ? null : shortId(value),
      onClear: () => set({ [key]: undefined }),
      editor: (close) => (
        <IdEditor of={key} value={value ?? ''} onApply={(id) => (set({ [key]: id }), close())} />
      ),
    };
  });
  const ofState: Filter = choiceFilter({
    key: 'state',
    label: labels.state,
    value: state,
    choices: ['active', 'revoked'],
    words: stateWords,
    onChange: (next) => set({ state: next }),
  });
  return (
    <FilterBar filters={[...byId, ofState]} onClearAll={() => void navigate({ search: { tab: 'grants' } })} />
  );
}

function IdEditor(props: {
  readonly of: 'app' | 'user';
  readonly value: string;
  readonly onApply: (id: string | undefined) => void;
}): ReactElement {
  const [typed, setTyped] = useState(props.value);
  const [isTried, setTried] = useState(false);
  const id = typed.trim();
  const isValid = id === '' || isId(kinds[props.of], id);
  const apply = () => {
    setTried(true);
    if (isValid) props.onApply(id === '' ? undefined : id);
  };
  return (
    <Form error={null} onSubmit={apply} actions={<Button type="submit">{text.apply}</Button>}>
      <TextField
        label={labels[props.of]}
        value={typed}
        problem={isTried && !isValid ? text.notAnId : null}
        onChange={setTyped}
      />
    </Form>
  );
}
