import { type JsonRecord } from '../../json/byte-text';
import { type Losses } from '../loss';
import { type TranslationTarget } from './translation-target';

/** Anthropic's two parameters for reasoning. Either may be absent. */
interface ThinkingParameters {
  readonly thinking?: JsonRecord;
  /** Goes into `output_config`. */
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
 * Models older than adaptive thinking. They take a budget of tokens instead of an effort. The list is complete: every
 * later model takes an effort.
 */
const TAKES_BUDGET = /claude-(?:3|(?:opus|sonnet)-4(?:-[01])?(?:-\d{8})?(?:@|$)|(?:opus|sonnet|haiku)-4-5)/;
const BUDGET_TOKENS_MIN = 1024;

/** Conditions under which a model cannot think. */
interface ThinkingObstacles {
  /** The call forces a tool call. */
  readonly isToolForced: boolean;
  /** The call has results of tool calls whose thinking, if there was any, was not sent back. */
  readonly isLoopWithoutThinking: boolean;
}

export function thinkingFor(
  reasoningEffort: unknown,
  { upstreamModel, maxOutputTokens }: TranslationTarget,
  { isToolForced, isLoopWithoutThinking }: ThinkingObstacles,
  losses: Losses,
): ThinkingParameters {
  if (reasoningEffort === undefined || reasoningEffort === null) return {};
  if (reasoningEffort === 'none') return { thinking: { type: 'disabled' } };
  const mapped = efforts[String(reasoningEffort)];
  const takesBudget = TAKES_BUDGET.test(upstreamModel);
  if (
    mapped === undefined ||
    (takesBudget && (isToolForced || isLoopWithoutThinking || maxOutputTokens <= BUDGET_TOKENS_MIN))
  ) {
    losses.omit('reasoning_effort');
    return {};
  }
  if (takesBudget) {
    const budgetTokens = Math.max(Math.floor(maxOutputTokens * mapped.shareOfOutput), BUDGET_TOKENS_MIN);
    return { thinking: { type: 'enabled', budget_tokens: budgetTokens } };
  }
  if (reasoningEffort === 'minimal') {
    losses.change('reasoning_effort', 'The least effort that the provider takes is `low`.');
  }
  if (!isToolForced) return { thinking: { type: 'adaptive' }, effort: mapped.effort };
  losses.change(
    'reasoning_effort',
    'The provider’s models don’t think before a tool call that they are forced to make.',
  );
  return { effort: mapped.effort };
}
