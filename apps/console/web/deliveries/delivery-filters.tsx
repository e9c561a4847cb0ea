import { type ReactElement } from 'react';
import { useInstantFilter } from '../frame/instant-filter';
import { choiceFilter } from '../ui/filters/choice-filter';
import { FilterBar } from '../ui/filters/filter-bar';
import { wordFilter } from '../ui/filters/word-filter';
import { deliveryAddress, statuses, type DeliveryAddress } from './delivery';
import { statusWords, text } from './text';

type Change = { readonly [Name in keyof DeliveryAddress]?: DeliveryAddress[Name] | undefined };
const labels = text.filters;

export interface DeliveryFiltersProps {
  readonly address: DeliveryAddress;
  /** Null clears all. */
  readonly onChange: (change: Change | null) => void;
}

/** The filters of deliveries. What they are set to is the address. */
export function DeliveryFilters({ address, onChange }: DeliveryFiltersProps): ReactElement {
  const { status, type, event } = address;
  const instantFilter = useInstantFilter();
  const ofStatus = choiceFilter({
    key: 'status',
    label: labels.status,
    value: status,
    choices: statuses,
    words: statusWords,
    onChange: (next) => onChange({ status: next }),
  });
  const ofType = wordFilter({
    key: 'type',
    label: labels.type,
    value: type,
    takes: deliveryAddress.type,
    onChange: (next) => onChange({ type: next }),
  });
  const ofEvent = wordFilter({
    key: 'event',
    label: labels.event,
    value: event,
    takes: deliveryAddress.event,
    onChange: (next) => onChange({ event: next }),
  });
  const spans = (['after', 'before'] as const).map((key) =>
    instantFilter({
      key,
      label: labels[key],
      value: address[key],
      onChange: (at) => onChange({ [key]: at }),
    }),
  );
  return <FilterBar filters={[ofStatus, ofType, ofEvent, ...spans]} onClearAll={() => onChange(null)} />;
}
