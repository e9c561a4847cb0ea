import { CONSOLE } from '@svc/kernel';
import { alertFilterFields, alertMetricRules, type AlertFilter, type AlertMetric } from './metrics';
import { filterWords, reasonWords } from './notice-words';

/** The facts in a mail about a rule. */
interface MailedRule {
  readonly id: string;
  readonly name: string;
  readonly metric: AlertMetric;
  readonly threshold: bigint;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly filter: AlertFilter;
}

interface MailedAlert {
  readonly id: string;
  readonly observed: bigint;
  readonly peak: bigint;
  readonly firedAt: Date;
}

/** `text` has {@link CONSOLE} in its links, which the sender completes. */
export interface NoticeText {
  readonly subject: string;
  readonly text: string;
}

export function firingMail(rule: MailedRule, alert: MailedAlert, repeat: number): NoticeText {
  const state = repeat === 0 ? 'firing' : 'still firing';
  return letter(`${capital(state)}: ${rule.name} (${rule.severity})`, [
    `The alert rule "${rule.name}" is ${state}.`,
    [...watched(rule), ...seen(rule, alert), ['Alert id', alert.id], ['Rule id', rule.id], openAlert(alert)],
  ]);
}

export function resolvedMail(rule: MailedRule, alert: MailedAlert, reason: string): NoticeText {
  return letter(`Resolved: ${rule.name} (${rule.severity})`, [
    `The alert rule "${rule.name}" no longer fires.`,
    [
      ['Reason', reasonWords[reason] ?? reason],
      ...watched(rule),
      ...seen(rule, alert),
      ['Alert id', alert.id],
      ['Rule id', rule.id],
      openAlert(alert),
    ],
  ]);
}

/** Instead of the first mail above the limit (docs/reference/alerts.md#mail). */
export function heldBackMail(rule: Pick<MailedRule, 'id' | 'name'>): NoticeText {
  return letter(`Too many emails: ${rule.name}`, [
    `The alert rule "${rule.name}" sent you 20 emails within an hour. Further emails are held back until it sent fewer than 20 in the last hour.`,
    [['Rule id', rule.id], openRule(rule)],
  ]);
}

export function testMail(rule: MailedRule): NoticeText {
  return letter(`[test] ${rule.name} (${rule.severity})`, [
    `This is a test of the alert rule "${rule.name}". No alert fired.`,
    [...watched(rule), ['Rule id', rule.id], openRule(rule)],
  ]);
}

type Line = readonly [label: string, value: string];

const openAlert = ({ id }: MailedAlert): Line => ['View alert', `${CONSOLE}alerts/${id}`];
const openRule = ({ id }: Pick<MailedRule, 'id'>): Line => ['View rule', `${CONSOLE}alerts/rules/${id}`];

const letter = (subject: string, [sentence, lines]: readonly [string, readonly Line[]]): NoticeText => ({
  subject: `[Svc] ${subject}`,
  // A name must not be read as a link.
  text: `${sentence.replaceAll(CONSOLE, '')}\n\n${lines.map(([label, value]) => `${label}: ${value}\n`).join('')}`,
});

function watched({ metric, threshold, severity, filter }: MailedRule): readonly Line[] {
  const side = alertMetricRules[metric].firesWhen === 'low' ? 'at or below' : 'at or above';
  return [
    ['Metric', alertMetricRules[metric].words],
    ['Threshold', `${side} ${amount(metric, threshold)}`],
    ['Severity', capital(severity)],
    ...alertFilterFields.flatMap((field): Line[] => {
      const value = filter[field];
      return value === null ? [] : [[filterWords[field], value]];
    }),
  ];
}

const seen = ({ metric }: MailedRule, { observed, peak, firedAt }: MailedAlert): readonly Line[] => [
  ['Observed', amount(metric, observed)],
  ...(peak === observed ? [] : ([['Peak', amount(metric, peak)]] as const)),
  ['Fired', `${firedAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`],
];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function amount(metric: AlertMetric, value: bigint): string {
  switch (alertMetricRules[metric].unit) {
    case 'nanos':
      return `${decimal(value, 9)} USD`;
    case 'bps':
      return `${decimal(value, 2)} %`;
    case 'ms':
      return `${String(value)} ms`;
    case 'hours':
      return `${String(value)} h`;
    case 'seconds':
      return `${String(value)} s`;
    case 'count':
      return String(value);
  }
}

/** A whole number of the last of so many decimal places, without zeros at its end. */
function decimal(value: bigint, places: number): string {
  const digits = String(value).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}
