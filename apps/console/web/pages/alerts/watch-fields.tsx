import { type ReactElement } from 'react';
import { PickOrTypeField, type PickedKind } from '../../frame/pick-field';
import { RadioGroup } from '../../ui/fields/check-field';
import { Group } from '../../ui/fields/group';
import { NumberField } from '../../ui/fields/number-field';
import { type FilterName, hasWindow, metricFacts } from './metrics';
import { type DraftFieldsProps } from './rule-draft';
import { filterWords, text } from './text';

const words = text.form;
const REPEAT_HOURS_MAX = 31 * 24;

/** How far back is looked; spend can be that of a UTC day or month. */
export function WindowFields({ draft, onChange }: DraftFieldsProps): ReactElement | null {
  const { metric, span, windowMinutes, minRequests } = draft;
  if (!hasWindow(metric)) return null;
  return (
    <>
      {metric === 'spend_nanos' && (
        <Group name="period">
          <RadioGroup
            label={words.window}
            value={span}
            onChange={(chosen) => onChange({ span: chosen })}
            choices={(['window', 'day', 'month'] as const).map((value) => ({
              value,
              label: words.windows[value],
            }))}
          />
        </Group>
      )}
      <NumberField
        name="window_seconds"
        label={words.minutes}
        min={1}
        value={windowMinutes}
        onChange={(minutes) => onChange({ windowMinutes: minutes })}
      />
      <NumberField
        name="min_requests"
        label={words.min}
        hint={words.minHint}
        min={1}
        value={minRequests}
        onChange={(count) => onChange({ minRequests: count })}
      />
    </>
  );
}

const picked: Readonly<Record<FilterName, PickedKind>> = {
  project_id: 'project',
  api_key_id: 'api_key',
  model: 'model',
  provider: 'provider',
  budget_id: 'budget',
  webhook_endpoint_id: 'webhook',
  integration_id: 'integration',
};

/** The filters that the metric takes. */
export function FilterFields({ draft, onChange }: DraftFieldsProps): ReactElement {
  return (
    <>
      {metricFacts[draft.metric].filters.map((name) => (
        <PickOrTypeField
          key={name}
          of={picked[name]}
          name={`filter.${name}`}
          label={filterWords[name]}
          hint={name === 'budget_id' ? words.budgetHint : words.filterHint}
          // The API says at the field what it cannot be.
          takes={() => true}
          value={draft.filter[name] ?? null}
          onChange={(chosen) => onChange({ filter: { ...draft.filter, [name]: chosen ?? '' } })}
        />
      ))}
    </>
  );
}

/** For how long it must hold before it fires, and must not hold before it resolves. */
export function TimingFields({ draft, onChange }: DraftFieldsProps): ReactElement {
  return (
    <>
      <NumberField
        name="for_seconds"
        label={words.for}
        value={draft.forMinutes}
        onChange={(minutes) => onChange({ forMinutes: minutes })}
      />
      <NumberField
        name="keep_firing_seconds"
        label={words.keep}
        value={draft.keepMinutes}
        onChange={(minutes) => onChange({ keepMinutes: minutes })}
      />
    </>
  );
}

/** How often it is told again while it fires. */
export function RepeatField({ draft, onChange }: DraftFieldsProps): ReactElement {
  return (
    <NumberField
      name="repeat_seconds"
      label={words.repeat}
      hint={words.repeatHint}
      min={1}
      max={REPEAT_HOURS_MAX}
      value={draft.repeatHours}
      onChange={(hours) => onChange({ repeatHours: hours })}
    />
  );
}
