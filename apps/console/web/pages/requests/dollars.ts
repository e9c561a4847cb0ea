import { type Parameter } from '../../browser/address';
import { parseMoney, plainDollars } from '../../format/money';

/** An amount of an address, in plain decimal dollars, no higher than the API takes. */
export const dollars: Parameter<string> = ([word = '', ...others]) => {
  const parsed = parseMoney(word);
  const isTaken =
    'amount' in parsed && parsed.amount <= BigInt(Number.MAX_SAFE_INTEGER) && others.length === 0;
  return isTaken ? plainDollars(parsed.amount) : undefined;
};

/** The amount in nano-dollars, as digits: a query takes no bigint. */
export function nanosOf(amount: string | undefined): string | undefined {
  const parsed = parseMoney(amount ?? '');
  return 'amount' in parsed ? parsed.amount.toString() : undefined;
}
