import { type ReactElement } from 'react';
import { shortId } from '../../format/ids';
import { ListFilters } from '../../frame/list-filters';
import { alertList } from './list';
import { alertStateWords, text } from './text';

const labels = text.filters;

export const AlertFilters = (): ReactElement => (
  <ListFilters
    of={alertList}
    chips={{
      state: { label: labels.state, words: alertStateWords },
      rule: { label: labels.rule, hint: labels.ruleHint, shown: shortId },
    }}
  />
);
