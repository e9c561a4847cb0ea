import { CONSOLE, type JsonValue } from '@svc/kernel';
import { type IntegrationNotice } from './notice';
import { describedTitle, firstText } from './titles';

/** A notice in words, before any service's form. Its texts hold names that customers chose: they are not escaped yet. */
export interface Message {
  readonly title: string;
  readonly severity: 'info' | 'warning' | 'critical' | 'resolved';
  readonly facts: readonly Fact[];
  /** The page of the console about it. */
  readonly link: string;
}

interface Fact {
  readonly label: string;
  readonly value: string;
}

const FACTS_MAX = 20;
const VALUE_MAX_CHARACTERS = 300;

/** The page of the console about events of a noun. */
const pages: Readonly<Record<string, string>> = {
  alert: 'alerts',
  incident: 'incidents',
  budget: 'budgets',
  payment: 'wallet',
  wallet: 'wallet',
  approval: 'approvals',
  api_key: 'keys',
  credential: 'provider-credentials',
  policy: 'routing',
  rollout: 'routing',
  webhook: 'webhooks',
  request: 'requests',
};

/** Of events whose data and name do not say it. */
const severities: Readonly<Record<string, 'warning' | 'critical'>> = {
  'api_key.address_refused': 'warning',
  'approval.requested': 'warning',
  'budget.threshold_crossed': 'warning',
  'budget.exceeded': 'critical',
  'credential.auth_failed': 'critical',
  'credential.compromised': 'critical',
  'request.reconciliation_required': 'warning',
  'rollout.aborted': 'warning',
};

export function messageOf(notice: IntegrationNotice): Message {
  const { type, data } = notice;
  const noun = type.slice(0, type.indexOf('.'));
  return {
    title: describedTitle(notice),
    severity: severityOf(type, data),
    facts: factsOf(data),
    link: `${CONSOLE}${pages[noun] ?? ''}`,
  };
}

function severityOf(type: string, data: IntegrationNotice['data']): Message['severity'] {
  if (type.endsWith('.resolved')) return 'resolved';
  const severity = firstText(data.severity);
  if (severity === 'critical') return 'critical';
  if (severity === 'warning' || severity === 'major' || severity === 'minor') return 'warning';
  if (type.endsWith('.failed') || type.endsWith('_disabled')) return 'critical';
  return severities[type] ?? 'info';
}

function factsOf(data: IntegrationNotice['data']): readonly Fact[] {
  const unit = firstText(data.metric);
  return Object.entries(data)
    .flatMap(([field, value]): Fact[] => {
      const text = textOf(field, value, unit);
      return text === null ? [] : [{ label: labelOf(field), value: cut(text) }];
    })
    .slice(0, FACTS_MAX);
}

/** `window_started_at`: `Window started at`. */
function labelOf(field: string): string {
  const words = field.replace(/_(nanos|bps)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(field: string, value: JsonValue | undefined, metric: string | null): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain).join(', ');
  if (typeof value === 'object') {
    const given = Object.entries(value).filter(([, each]) => each !== null);
    return given.length === 0 ? null : given.map(([name, each]) => `${name} ${plain(each)}`).join(', ');
  }
  if (typeof value !== 'number') return plain(value);
  return amount(
    field === 'threshold' || field === 'observed' || field === 'peak' ? (metric ?? field) : field,
    value,
  );
}

/** A whole number in the unit that its field or metric is named after. */
function amount(name: string, value: number): string {
  if (name.endsWith('_nanos')) return `${decimal(value, 9)} USD`;
  if (name.endsWith('_bps')) return `${decimal(value, 2)} %`;
  if (name.endsWith('_ms')) return `${String(value)} ms`;
  if (name.endsWith('_seconds')) return `${String(value)} s`;
  return name.endsWith('_hours') ? `${String(value)} h` : String(value);
}

/** A whole number of the last of so many decimal places, without zeros at its end. */
function decimal(value: number, places: number): string {
  const digits = String(Math.abs(value)).padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return `${value < 0 ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

const plain = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

const cut = (text: string): string => {
  const characters = [...text];
  return characters.length <= VALUE_MAX_CHARACTERS
    ? text
    : `${characters.slice(0, VALUE_MAX_CHARACTERS - 1).join('')}…`;
};
