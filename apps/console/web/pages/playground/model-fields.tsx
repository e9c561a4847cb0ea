import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { Button } from '../../ui/button/button';
import { ComboboxField } from '../../ui/fields/combobox-field';
import { PlusIcon } from '../../ui/icons/later-icons';
import { MODELS_MAX } from './models-max';
import { text } from './text';
import { type OfferedModel } from './use-models';
import styles from './playground.module.css';

const words = text.settings;

interface ModelFieldsProps {
  readonly offered: readonly OfferedModel[];
  readonly chosen: readonly string[];
  readonly onChange: (models: readonly string[]) => void;
}

/** Up to three models, each in a column of its own. Those that cannot be called are listed with the reason. */
export function ModelFields({ offered, chosen, onChange }: ModelFieldsProps): ReactElement {
  const next = offered.find(({ id, problem }) => problem === null && !chosen.includes(id));
  const without = (place: number) => chosen.filter((_, other) => other !== place);
  return (
    <div className={styles.models}>
      {(chosen.length === 0 ? [null] : chosen).map((model, place) => (
        <div key={place} className={styles.model}>
          <ModelField
            label={words.models[place] ?? ''}
            offered={offered.filter(({ id }) => id === model || !chosen.includes(id))}
            model={model}
            onChange={(id) => onChange(chosen.length === 0 ? [id] : chosen.with(place, id))}
          />
          {place > 0 && (
            <Button variant="quiet" onClick={() => onChange(without(place))}>
              {words.removeModel(words.models[place] ?? '')}
            </Button>
          )}
        </div>
      ))}
      {chosen.length > 0 && chosen.length < MODELS_MAX && next !== undefined && (
        <div>
          <Button icon={<PlusIcon />} onClick={() => onChange([...chosen, next.id])}>
            {words.addModel}
          </Button>
        </div>
      )}
    </div>
  );
}

function ModelField({
  label,
  offered,
  model,
  onChange,
}: {
  readonly label: string;
  readonly offered: readonly OfferedModel[];
  readonly model: string | null;
  readonly onChange: (model: string) => void;
}): ReactElement {
  const known = offered.find(({ id }) => id === model);
  const listed = model === null || known !== undefined ? offered : [unknown(model), ...offered];
  const problem = model === null ? null : (known ?? unknown(model)).problem;
  return (
    <ComboboxField
      label={label}
      name="model"
      value={model}
      onChange={(id) => id !== null && onChange(id)}
      problem={problem === null ? null : visibleText(problem)}
      choices={listed.map(({ id, name, problem: reason }) => ({
        value: id,
        label: visibleText(id),
        note: visibleText(reason ?? name),
        isDisabled: reason !== null,
      }))}
    />
  );
}

const unknown = (id: string): OfferedModel => ({ id, name: id, problem: text.settings.unknownModel });
