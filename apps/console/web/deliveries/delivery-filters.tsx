import { type ReactElement } from 'react';
import { ListFilters } from '../frame/list-filters';
import { deliveryList } from './list';
import { statusWords, text } from './text';

const labels = text.filters;

export const DeliveryFilters = (): ReactElement => (
  <ListFilters
    of={deliveryList}
    chips={{
      status: { label: labels.status, words: statusWords },
      type: { label: labels.type },
      event: { label: labels.event },
      after: { label: labels.after },
      before: { label: labels.before },
    }}
  />
);
