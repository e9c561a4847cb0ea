import { formatList } from '../../format/numbers';
import { roleLabel } from '../../session/roles';
import { hasWindow } from './metrics';
import { secondsOf, type RuleDraft } from './rule-draft';
import { severityWords, spanWords, text } from './text';
import { formatObserved, parseThreshold } from './threshold';

const HOUR = 3_600;
const words = text.summary;

/** How members and integrations are called, by their ids. */
interface Called {
  readonly members: ReadonlyMap<string, string>;
  readonly integrations: ReadonlyMap<string, string>;
}

/** The effect of a rule as it is typed, a sentence each: when it fires, what is sent to whom, how often, and when it resolves. */
export function summaryOf(draft: RuleDraft, called: Called): readonly string[] {
  const threshold = parseThreshold(draft.metric, draft.threshold);
  if (threshold === null) return [words.noThreshold];
  const reached = formatObserved(draft.metric, threshold);
  const mailed = [...draft.roles.map(roleLabel), ...draft.members.map((id) => called.members.get(id) ?? id)];
  const posted = draft.integrations.map((id) => called.integrations.get(id) ?? id);
  const severity = severityWords[draft.severity];
  const isTold = mailed.length + posted.length > 0;
  return [
    words.fires(draft.metric, reached, windowOf(draft), spanOf(draft.forMinutes)),
    ...(mailed.length > 0 ? [words.mails(severity, formatList(mailed))] : []),
    ...(posted.length > 0 ? [words.posts(severity, formatList(posted))] : []),
    ...(isTold ? [] : [words.nobody]),
    ...(isTold
      ? [words.repeats(draft.repeatHours === null ? null : spanWords(draft.repeatHours * HOUR))]
      : []),
    words.resolves(spanOf(draft.keepMinutes), mailed.length > 0),
    ...(draft.isEnabled ? [] : [words.disabled]),
  ];
}

/** Over what the metric is observed; null where it is observed as of now. */
function windowOf({ metric, span, windowMinutes }: RuleDraft): string | null {
  if (!hasWindow(metric)) return null;
  if (metric === 'spend_nanos' && span !== 'window') return words.periods[span];
  return words.window(spanWords(secondsOf(windowMinutes)));
}

const spanOf = (minutes: number | null): string | null =>
  minutes === null || minutes === 0 ? null : spanWords(secondsOf(minutes));
