import { type ReactElement } from 'react';
import { shortId } from '../../format/ids';
import { ListFilters } from '../../frame/list-filters';
import { grantList } from './list';
import { stateWords, text } from './text';

const labels = text.filters;

export const GrantFilters = (): ReactElement => (
  <ListFilters
    of={grantList}
    chips={{
      app: { label: labels.app, shown: shortId, problem: text.notAnId },
      user: { label: labels.user, shown: shortId, problem: text.notAnId },
      state: { label: labels.state, words: stateWords },
    }}
  />
);
