import { type Parameter } from '../../app/address';
import { parseMoney, plainDollars } from '../../format/money';

/** An amount of an address, in plain decimal dollars. */
export const dollars: Parameter<string> = ([word = '', ...others]) => {
  const parsed = parseMoney(word);
  return 'amount' in parsed && others.length === 0 ? plainDollars(parsed.amount) : undefined;
};

/** The amount in nano-dollars, as digits: a query takes no bigint. */
export function nanosOf(amount: string | undefined): string | undefined {
  const parsed = parseMoney(amount ?? '');
  return 'amount' in parsed ? parsed.amount.toString() : undefined;
}
