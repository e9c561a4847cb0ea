import { type ReactElement } from 'react';
import { Checkbox } from '../../../ui/fields/check-field';
import fields from '../../../ui/fields/fields.module.css';
import { Group } from '../../../ui/fields/group';
import { type IncidentDraft } from './draft';
import { componentWords, text } from './text';

type Component = IncidentDraft['components'][number];
const all = Object.keys(componentWords) as Component[];

interface ComponentsFieldProps {
  readonly value: readonly Component[];
  readonly problem: string | null | undefined;
  readonly onChange: (components: readonly Component[]) => void;
}

/** The parts of the service that are affected. */
export function ComponentsField({ value, problem = null, onChange }: ComponentsFieldProps): ReactElement {
  return (
    <Group name="components" problem={problem}>
      <fieldset className={fields.field}>
        <legend>{text.declare.components}</legend>
        {all.map((component) => (
          <Checkbox
            key={component}
            label={componentWords[component]}
            isChecked={value.includes(component)}
            onChange={(isChecked) =>
              onChange(all.filter((one) => (one === component ? isChecked : value.includes(one))))
            }
          />
        ))}
      </fieldset>
    </Group>
  );
}
