import { type ReactElement } from 'react';
import { ListFilters } from '../../frame/list-filters';
import { incidentList } from './list';
import { severityWords, stateWords, text } from './text';

const labels = text.filters;

export const IncidentFilters = (): ReactElement => (
  <ListFilters
    of={incidentList}
    chips={{
      state: { label: labels.state, words: { open: text.open, resolved: stateWords.resolved } },
      severity: { label: labels.severity, words: severityWords },
    }}
  />
);
