import { type ReactElement } from 'react';
import { DataTable } from '../../ui/table/data-table';
import { Name } from '../../ui/text/id';
import { type Simulation } from '../../calls/simulation';
import styles from './routing.module.css';
import { text } from './text';

type Change = NonNullable<Simulation['changes']>[number];

export const modelsThat = (change: Change['change'], changes: readonly Change[]): readonly string[] =>
  changes.filter((one) => one.change === change).map(({ model }) => model);

/** The effect of a draft on the models of the catalog: a sentence for each kind of change, and every model on demand. */
export function Effect({ changes }: { readonly changes: readonly Change[] }): ReactElement {
  const words = text.effect;
  if (changes.length === 0) return <p>{words.none}</p>;
  const kinds = [
    [words.stops, modelsThat('stops', changes), 'bad'],
    [words.firsts, modelsThat('first_provider', changes), 'warn'],
    [words.starts, modelsThat('starts', changes), 'good'],
  ] as const;
  return (
    <>
      <ul className={styles.effect}>
        {kinds.map(
          ([sentence, models, tone]) =>
            models.length > 0 && (
              <li key={tone} data-tone={tone}>
                {sentence(models)}
              </li>
            ),
        )}
      </ul>
      <details className={styles.details}>
        <summary>{words.whole(changes.length)}</summary>
        <DataTable
          caption={words.caption}
          rows={changes}
          rowKey={({ model }) => model}
          columns={[
            { key: 'model', header: words.model, wraps: true, cell: ({ model }) => <Name>{model}</Name> },
            { key: 'before', header: words.before, cell: ({ before }) => placeOf(before) },
            {
              key: 'after',
              header: words.after,
              cell: ({ after, refusal }) => (refusal === null ? placeOf(after) : words.refused(refusal.code)),
            },
          ]}
        />
      </details>
    </>
  );
}

const placeOf = (endpoint: Change['before']): ReactElement | string =>
  endpoint === null ? (
    text.effect.notCallable
  ) : (
    <>
      <Name>{endpoint.provider}</Name> · <Name>{endpoint.region}</Name>
    </>
  );
