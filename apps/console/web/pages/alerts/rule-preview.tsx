import { type ReactElement, type ReactNode, useState } from 'react';
import { isId } from '@svc/kernel';
import { useRead } from '../../api/use-api';
import { usePreferences } from '../../browser/preferences';
import { formatInstant, formatUtcDay } from '../../format/time';
import { visibleText } from '../../format/visible-text';
import { useCan } from '../../session/organization';
import { Note } from '../../ui/states/notes';
import { hasWindow } from './metrics';
import { previewOf, type Previewed } from './preview';
import { type RuleDraft } from './rule-draft';
import { summaryOf } from './rule-summary';
import { text } from './text';
import { formatObserved, parseThreshold } from './threshold';
import { useIntegrations } from './use-integrations';
import styles from './alerts.module.css';

const DAY_MS = 86_400_000;
const DAYS = 7;
/** As the form lists them, so that they are read once. */
const MEMBERS = { limit: 100 };
const words = text.preview;

/** The effect of the rule as it is typed, from now on and in the past. */
export function RulePreview({ draft }: { readonly draft: RuleDraft }): ReactElement {
  const members = useRead('/members', { params: { query: MEMBERS } }, { enabled: useCan('member:read') });
  const called = {
    members: new Map(members.data?.data.map(({ id, email }) => [id, visibleText(email)])),
    integrations: new Map(useIntegrations().map(({ id, name }) => [id, visibleText(name)])),
  };
  return (
    <section className={styles.preview} aria-label={text.summary.title}>
      <h3>{text.summary.title}</h3>
      <ul>
        {summaryOf(draft, called).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <LastWeek draft={draft} />
    </section>
  );
}

/** How often it would have been reached in the last seven days, where usage can tell. */
function LastWeek({ draft }: { readonly draft: RuleDraft }): ReactElement | null {
  const canRead = useCan('usage:read');
  const threshold = parseThreshold(draft.metric, draft.threshold);
  const filter = filterOf(draft);
  const isOfSpend = draft.metric === 'spend_nanos';
  const isShown = canRead && hasWindow(draft.metric) && !(isOfSpend && draft.span === 'month');
  if (!isShown || threshold === null || filter === null) return null;
  const rule: Previewed = {
    metric: draft.metric,
    threshold,
    isByDay: isOfSpend && draft.span === 'day',
    windowMinutes: draft.windowMinutes ?? 0,
    minRequests: draft.minRequests ?? 1,
  };
  return <OfWeek rule={rule} filter={filter} />;
}

/** The filters of a rule as usage takes them. */
interface UsageFilter {
  readonly project_id?: string;
  readonly api_key_id?: string;
  readonly model?: string;
  readonly provider?: string;
}

interface OfWeekProps {
  readonly rule: Previewed;
  readonly filter: UsageFilter;
}

/** It says something before it is known: a note that appeared late would move the buttons below it away from under the pointer. */
function OfWeek(props: OfWeekProps): ReactElement {
  return (
    <Note hasRoom>
      <Sentences {...props} />
    </Note>
  );
}

function Sentences({ rule, filter }: OfWeekProps): ReactNode {
  const { zone } = usePreferences();
  const [start] = useState(() => new Date(Date.now() - DAYS * DAY_MS).toISOString());
  const include = rule.metric.endsWith('_ms') ? { include: 'latency' as const } : {};
  const query = { ...filter, ...include, start, group_by: rule.isByDay ? 'day' : 'hour' };
  const { data, isError } = useRead('/usage', { params: { query } }, { keepsPrevious: true });
  if (data === undefined) return isError ? words.unknown : words.loading;
  const { unit, reached, bound, highest } = previewOf(data.data, rule);
  if (highest === null) return words.nothing;
  const at = unit === 'day' ? formatUtcDay(highest.at) : formatInstant(new Date(highest.at), zone);
  return `${words.reached[bound](reached, unit)} ${words.highest(formatObserved(rule.metric, highest.value), at)}`;
}

/** Null while an id is none. */
function filterOf({ filter }: RuleDraft): UsageFilter | null {
  const { project_id: project = '', api_key_id: key = '', model = '', provider = '' } = filter;
  const typed = {
    project_id: project.trim(),
    api_key_id: key.trim(),
    model: model.trim(),
    provider: provider.trim(),
  };
  const isNone =
    (typed.project_id !== '' && !isId('project', typed.project_id)) ||
    (typed.api_key_id !== '' && !isId('apiKey', typed.api_key_id));
  return isNone ? null : Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
}
