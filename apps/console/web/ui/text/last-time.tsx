import { type ReactElement } from 'react';
import { Time } from './time';

interface LastTimeWords {
  /** Before the time: `Last used`. */
  readonly last: string;
  /** Where there is none. */
  readonly never: string;
  readonly reading: string;
  /** Where it could not be read. */
  readonly unknown: string;
}

interface LastTimeProps {
  /** ISO 8601; null for never, undefined where it could not be read. */
  readonly at: string | null | undefined;
  readonly isReading: boolean;
  readonly words: LastTimeWords;
}

/** When something was last done with a thing, in the dialog that ends it. An older answer is not shown while it is read anew. */
export function LastTime({ at, isReading, words }: LastTimeProps): ReactElement {
  if (isReading) return <p>{words.reading}</p>;
  if (at === undefined) return <p>{words.unknown}</p>;
  if (at === null) return <p>{words.never}</p>;
  return (
    <p>
      {words.last} <Time at={at} />.
    </p>
  );
}
