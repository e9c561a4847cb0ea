import { type ReactElement } from 'react';
import { idOf } from '../../browser/address';
import { shortId } from '../../format/ids';
import { choiceFilter } from '../../ui/filters/choice-filter';
import { FilterBar } from '../../ui/filters/filter-bar';
import { wordFilter } from '../../ui/filters/word-filter';
import { oauthAppsRoute } from './route';
import { stateWords, text } from './text';

type Address = ReturnType<typeof oauthAppsRoute.useSearch>;
const labels = text.filters;

/** The filters of the grants. What they are set to is the address. */
export function GrantFilters(): ReactElement {
  const { app, user, state } = oauthAppsRoute.useSearch();
  const navigate = oauthAppsRoute.useNavigate();
  const set = (change: Partial<Address>) => void navigate({ search: (held) => ({ ...held, ...change }) });
  const ofApp = wordFilter({
    key: 'app',
    label: labels.app,
    value: app,
    shown: shortId,
    takes: idOf('oauthApp'),
    problem: text.notAnId,
    onChange: (next) => set({ app: next }),
  });
  const ofUser = wordFilter({
    key: 'user',
    label: labels.user,
    value: user,
    shown: shortId,
    takes: idOf('user'),
    problem: text.notAnId,
    onChange: (next) => set({ user: next }),
  });
  const ofState = choiceFilter({
    key: 'state',
    label: labels.state,
    value: state,
    choices: ['active', 'revoked'],
    words: stateWords,
    onChange: (next) => set({ state: next }),
  });
  return (
    <FilterBar
      filters={[ofApp, ofUser, ofState]}
      onClearAll={() => void navigate({ search: { tab: 'grants' } })}
    />
  );
}
