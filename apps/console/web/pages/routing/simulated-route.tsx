import { type ReactElement } from 'react';
import { fieldWords } from '../../policies/text';
import { WarningNote } from '../../ui/states/notes';
import { Name } from '../../ui/text/id';
import { Time } from '../../ui/text/time';
import { type Simulation } from '../../calls/simulation';
import styles from './routing.module.css';
import { callWords, text } from './text';

const words = text.simulator;

/** The endpoints that a call tries, in order, each with the reason for its place; those left out; or the refusal. */
export function SimulatedRoute({ simulation }: { readonly simulation: Simulation }): ReactElement {
  const { attempts, excluded, refusal, facts_as_of: asOf } = simulation;
  return (
    <>
      <h3>{words.heading}</h3>
      {refusal !== null && (
        <WarningNote>
          <p>
            <strong>{words.refusal(refusal.status, refusal.code)}</strong>
          </p>
          <p>{refusal.message}</p>
        </WarningNote>
      )}
      {attempts.length > 0 && (
        <ol className={styles.attempts} aria-label={words.attempts}>
          {attempts.map((attempt, place) => (
            <li key={`${attempt.endpoint.id} ${attempt.credential}`}>
              <SimulatedAttempt attempt={attempt} place={place} />
            </li>
          ))}
        </ol>
      )}
      {excluded.length > 0 && (
        <>
          <h4>{words.leftOut}</h4>
          <ul className={styles.excluded} aria-label={words.leftOut}>
            {excluded.map(({ endpoint, constraint, field, message }) => (
              <li key={`${endpoint.id} ${constraint}`}>
                <strong>
                  <Name>{endpoint.provider}</Name> · <Name>{endpoint.region}</Name>
                </strong>
                <span>{message}</span>
                {field !== null && <small className="muted">{words.field(labelOf(field))}</small>}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={styles.asOf}>
        {asOf === null ? (
          words.noFacts
        ) : (
          <>
            {words.asOf} as of <Time at={asOf} as="clock" />
          </>
        )}
      </p>
    </>
  );
}

const labelOf = (field: string): string => ({ ...callWords, ...fieldWords })[field] ?? field;

function SimulatedAttempt({
  attempt,
  place,
}: {
  readonly attempt: Simulation['attempts'][number];
  readonly place: number;
}): ReactElement {
  const { endpoint, credential, price, latency, circuit, omitted, placed_by: placedBy } = attempt;
  return (
    <>
      <p>
        <strong>
          <Name>{endpoint.provider}</Name> · <Name>{endpoint.region}</Name>
        </strong>{' '}
        <span className={styles.facts}>
          · {words.credential(credential)} · {words.price(price)} · {words.speed(latency)}
          {circuit === 'unknown' && <> · {words.unknownCircuit}</>}
        </span>
      </p>
      <p className="muted">
        {words.placedBy(place, placedBy)}
        {omitted.length > 0 && ` ${words.omits(omitted)}`}
      </p>
    </>
  );
}
