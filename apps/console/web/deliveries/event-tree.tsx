import { type ReactElement, useState } from 'react';
import { Checkbox } from '../ui/fields/check-field';
import { ComboboxField } from '../ui/fields/combobox-field';
import { Result } from '../ui/states/result';
import { CodeSample } from '../ui/text/code-sample';
import { stringifyExact } from '../api/exact-json';
import { text } from './text';
import { byNoun, switched, type EventType } from './event-nouns';
import { useEventTypes } from './use-event-types';
import styles from './deliveries.module.css';

const words = text.events;

interface EventTreeProps {
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** The events by noun, each noun with its wildcard; what is sent for one stands beside them. */
export function EventTree({ chosen, onChange }: EventTreeProps): ReactElement {
  const types = useEventTypes();
  return (
    <Result of={types} lines={8}>
      {({ data }) => (
        <>
          <div className={styles.tree}>
            {byNoun(data).map((noun) => (
              <fieldset key={noun.wildcard} className={styles.noun}>
                <legend className="mono">{noun.wildcard}</legend>
                <Checkbox
                  label={words.allOf(noun.wildcard)}
                  isChecked={chosen.includes(noun.wildcard)}
                  onChange={(isOn) => onChange(switched(chosen, noun.wildcard, isOn))}
                />
                {noun.types.map(({ type, description }) => (
                  <Checkbox
                    key={type}
                    label={<code>{type}</code>}
                    note={description}
                    isChecked={chosen.includes(type) || chosen.includes(noun.wildcard)}
                    isDisabled={chosen.includes(noun.wildcard)}
                    onChange={(isOn) => onChange(switched(chosen, type, isOn))}
                  />
                ))}
              </fieldset>
            ))}
          </div>
          <Example types={data} />
        </>
      )}
    </Result>
  );
}

function Example({ types }: { readonly types: readonly EventType[] }): ReactElement {
  const [shown, setShown] = useState<string | null>(null);
  const type = types.find((one) => one.type === shown);
  return (
    <>
      <ComboboxField
        label={words.example}
        value={shown}
        onChange={setShown}
        choices={types.map((one) => ({ value: one.type, label: one.type, note: one.description }))}
      />
      {type !== undefined && (
        <>
          <CodeSample label={words.exampleLabel(type.type)} code={stringifyExact(type.example, 2)} />
          <CodeSample label={words.schemaLabel(type.type)} code={stringifyExact(type.data_schema, 2)} />
        </>
      )}
    </>
  );
}
