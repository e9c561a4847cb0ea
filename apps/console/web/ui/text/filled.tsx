import { Fragment, type ReactElement, type ReactNode } from 'react';

const PLACE = /\{(\w+)\}/;

/** A sentence with something in its places: `{spent} of {amount}`, with an amount that has a tooltip in each. */
export function Filled(props: {
  readonly sentence: string;
  readonly places: Readonly<Record<string, ReactNode>>;
}): ReactElement {
  return (
    <>
      {props.sentence.split(PLACE).map((part, nth) => (
        <Fragment key={nth}>{nth % 2 === 0 ? part : props.places[part]}</Fragment>
      ))}
    </>
  );
}

/** The same as a text. */
export const filledText = (sentence: string, places: Readonly<Record<string, string>>): string =>
  sentence
    .split(PLACE)
    .map((part, nth) => (nth % 2 === 0 ? part : (places[part] ?? '')))
    .join('');
