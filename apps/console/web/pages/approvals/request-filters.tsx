import { type ReactElement } from 'react';
import { ListFilters } from '../../frame/list-filters';
import { Button } from '../../ui/button/button';
import { requestList } from './list';
import { stateWords, text } from './text';

const labels = text.filters;

export const RequestFilters = (): ReactElement => (
  <ListFilters
    of={requestList}
    chips={{
      awaiting: {
        label: labels.awaiting,
        words: { me: labels.me },
        editor: (_, onChange) => <Button onClick={() => onChange('me')}>{labels.me}</Button>,
      },
      state: { label: labels.state, words: stateWords },
      action: { label: labels.action, hint: labels.actionHint },
    }}
  />
);
