import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { type TranslationTarget } from './translation-target';

/** The wish for reasoning as Anthropic's two parameters; either may be absent. */
export interface ThinkingWish {
  readonly thinking?: JsonRecord;
  /** Of `output_config`. */
  readonly effort?: string;
}

const efforts: Readonly<Record<string, { readonly effort: string; readonly shareOfOutput: number }>> = {
  minimal: { effort: 'low', shareOfOutput: 0.1 },
  low: { effort: 'low', shareOfOutput: 0.2 },
  medium: { effort: 'medium', shareOfOutput: 0.5 },
  high: { effort: 'high', shareOfOutput: 0.8 },
  xhigh: { effort: 'xhigh', shareOfOutput: 0.9 },
  max: { effort: 'max', shareOfOutput: 0.95 },
};

/**
 * Models from before adaptive thinking, which are told a number of tokens instead. The list is closed: every later
 * model takes an effort.
 */
const TAKES_BUDGET = /claude-(?:3|(?:opus|sonnet)-4(?:-[01])?(?:-\d{8})?(?:@|$)|(?:opus|sonnet|haiku)-4-5)/;
const BUDGET_TOKENS_MIN = 1024;

/** What keeps a model from thinking. */
export interface ThinkingObstacles {
  /** A tool must be called. */
  readonly isToolForced: boolean;
  /** The call brings the results of tool calls whose thinking, if there was any, was not sent back. */
  readonly isUnthoughtLoop: boolean;
}

export function thinkingFor(
  reasoningEffort: unknown,
  { upstreamModel, maxOutputTokens }: TranslationTarget,
  { isToolForced, isUnthoughtLoop }: ThinkingObstacles,
  losses: Losses,
): ThinkingWish {
  if (reasoningEffort === undefined || reasoningEffort === null) return {};
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  const wish = efforts[String(reasoningEffort)];
  const takesBudget = TAKES_BUDGET.test(upstreamModel);
  if (
    wish === undefined ||
    (takesBudget && (isToolForced || isUnthoughtLoop || maxOutputTokens <= BUDGET_TOKENS_MIN))
  ) {
    losses.omit('reasoning_effort');
    return {};
  }
  if (takesBudget) {
    const budgetTokens = Math.max(Math.floor(maxOutputTokens * wish.shareOfOutput), BUDGET_TOKENS_MIN);
    return { thinking: { type: 'enabled', budget_tokens: budgetTokens } };
  }
  if (reasoningEffort === 'minimal') {
    losses.change('reasoning_effort', 'The least effort that the provider takes is `low`.');
  }
  if (!isToolForced) return { thinking: { type: 'adaptive' }, effort: wish.effort };
  losses.change(
    'reasoning_effort',
    'The provider’s models don’t think before a tool call that they are forced to make.',
  );
  return { effort: wish.effort };
}
