import { type ReactElement } from 'react';
import { visibleText } from '../../format/visible-text';
import { type SnippetOperation } from '../../calls/languages';
import { TextArea, TextField } from '../../ui/fields/text-field';
import { fieldsOf, othersOf, parameterOf, type ParameterName, type TypedParameters } from './parameters';
import styles from './playground.module.css';
import { text } from './text';
import { type Omitted } from './use-omitted';

const words = text.parameters;

interface ParameterFieldsProps {
  readonly operation: SnippetOperation;
  readonly typed: TypedParameters;
  readonly others: string;
  readonly omitted: Omitted;
  /** Problems for which the last call was refused, by the name of the parameter. */
  readonly refused: ReadonlyMap<string, string>;
  readonly onType: (name: ParameterName, value: string) => void;
  readonly onOthers: (value: string) => void;
}

/** The parameters of the route. One that no endpoint takes says so. */
export function ParameterFields(props: ParameterFieldsProps): ReactElement {
  const { operation, typed, others, omitted, refused, onType, onOthers } = props;
  const further = othersOf(others);
  const named = Object.keys(further ?? {}).flatMap((name) => {
    const said = omitted.get(name);
    return said === undefined ? [] : [words.omittedNamed(visibleText(name), said)];
  });
  return (
    <details className={styles.parameters}>
      <summary>{words.title}</summary>
      <div className={styles.grid}>
        {fieldsOf(operation).map(([name, kind]) => {
          const value = typed[name] ?? '';
          const isWrong = parameterOf(kind, value) === null;
          const field = {
            label: words.labels[name],
            hint:
              [kind === 'lines' ? words.aLine : '', omitted.get(name) ?? ''].join(' ').trim() || undefined,
            problem: isWrong ? (kind === 'whole' ? words.notWhole : words.notANumber) : refused.get(name),
            value,
            onChange: (next: string) => onType(name, next),
          };
          return kind === 'lines' ? (
            <TextArea key={name} {...field} rows={2} />
          ) : (
            <TextField key={name} {...field} inputMode={kind === 'word' ? 'text' : 'decimal'} />
          );
        })}
      </div>
      <TextArea
        label={words.others}
        hint={[words.othersHint, ...named].join(' ')}
        problem={further === null ? words.notAnObject : null}
        value={others}
        onChange={onOthers}
        rows={2}
        isCode
      />
    </details>
  );
}
