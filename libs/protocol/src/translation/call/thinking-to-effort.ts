import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { recordIn } from '../untyped-json';

/** From how many thinking tokens on a budget counts as this effort, the largest first. */
const effortOfBudget: readonly (readonly [number, string])[] = [
  [16_384, 'high'],
  [4_096, 'medium'],
  [0, 'low'],
];

/** The wish for reasoning of a messages call as chat's `reasoning_effort`. */
export function effortFor(body: JsonRecord, losses: Losses): string | undefined {
  const { type, budget_tokens: budgetTokens, display } = recordIn(body['thinking']);
  const { effort, format: _format, ...others } = recordIn(body['output_config']);
  for (const name of Object.keys(others)) losses.omit(`output_config.${name.slice(0, 100)}`);
  if (display === 'omitted') losses.omit('thinking.display');
  if (typeof effort === 'string') return effort;
  if (type === 'enabled') {
    losses.change('thinking.budget_tokens', 'The provider takes an effort to think, not a number of tokens.');
    return effortOfBudget.find(([from]) => typeof budgetTokens === 'number' && budgetTokens >= from)?.[1];
  }
  // `none` is known to few models and refused by the others.
  if (type !== undefined && type !== 'adaptive') losses.omit('thinking');
  return undefined;
}
