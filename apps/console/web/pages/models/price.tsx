import { type ReactElement } from 'react';
import { pricePerMillion } from '../../format/price';
import { text } from './text';

/** Decimal digits without an exponent. */
const digits = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20, useGrouping: false });

/** A price of the catalog, in nanos a token, as dollars a million tokens. */
export function Price({ of }: { readonly of: number }): ReactElement {
  const nanos = digits.format(of);
  return (
    <span className="number" data-tip={`${nanos} nanos / token`}>
      {text.perMillion(pricePerMillion(nanos) ?? nanos)}
    </span>
  );
}
