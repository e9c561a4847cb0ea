import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { recordIn } from '../untyped-json';

/** The least budget of thinking tokens for each effort, largest first. */
const effortOfBudget: readonly (readonly [number, string])[] = [
  [16_384, 'high'],
  [4_096, 'medium'],
  [0, 'low'],
];

/** Translates the reasoning parameters of a messages call to chat's `reasoning_effort`. */
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
  // `thinking` of type `disabled` is dropped: few models know the effort `none`, and the others refuse it.
  if (type !== undefined && type !== 'adaptive') losses.omit('thinking');
  return undefined;
}
