import { type ReactElement } from 'react';
import { ListFilters } from '../../frame/list-filters';
import { exportList } from './list';
import { kindWords, stateWords, text } from './text';

const labels = text.filters;

export const ExportFilters = (): ReactElement => (
  <ListFilters
    of={exportList}
    chips={{
      kind: { label: labels.kind, words: kindWords },
      state: { label: labels.state, words: stateWords },
    }}
  />
);
