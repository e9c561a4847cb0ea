import { CONSOLE, withConsoleLinks } from '@svc/kernel';
import { alertFilterFields, type AlertFilter } from './metrics';
import { firingMail, heldBackMail, resolvedMail, testMail } from './notice-mail';

const none = Object.fromEntries(alertFilterFields.map((field) => [field, null])) as AlertFilter;
const rule = {
  id: 'alr_1',
  name: 'Errors of acme',
  metric: 'error_rate_bps',
  threshold: 500n,
  severity: 'critical',
  filter: { ...none, provider: 'acme' },
} as const;
const alert = { id: 'alt_1', observed: 730n, peak: 730n, firedAt: new Date('2026-11-23T14:00:00.000Z') };

describe('a mail about an alert', () => {
  it('says what was seen, and what was asked for', () => {
    const { subject, text } = firingMail(rule, alert, 0);
    expect({ subject, text: withConsoleLinks(text, 'https://svc.example.com') }).toEqual({
      subject: '[Svc] Firing: Errors of acme (critical)',
      text: `The alert rule "Errors of acme" is firing.

Metric: Error rate
Threshold: at or above 5 %
Severity: Critical
Provider: acme
Observed: 7.3 %
Fired: 2026-11-23 14:00:00 UTC
Alert id: alt_1
Rule id: alr_1
View alert: https://svc.example.com/console/alerts/alt_1
`,
    });
  });

  it('leads to the alert or the rule, and to nothing else that a name holds', () => {
    const named = { ...rule, name: `${CONSOLE}evil` };
    for (const [mail, path] of [
      [firingMail(named, alert, 0), 'alerts/alt_1'],
      [resolvedMail(named, alert, 'recovered'), 'alerts/alt_1'],
      [testMail(named), 'alerts/rules/alr_1'],
      [heldBackMail(named), 'alerts/rules/alr_1'],
    ] as const) {
      const text = withConsoleLinks(mail.text, 'https://svc.example.com');
      expect(text.match(/https?:\S+/g)).toEqual([`https://svc.example.com/console/${path}`]);
    }
  });

  it('says that it repeats itself, that it ended and why, and that it is a test', () => {
    expect(firingMail(rule, alert, 3).subject).toBe('[Svc] Still firing: Errors of acme (critical)');
    const resolved = resolvedMail(rule, { ...alert, peak: 10_000n }, 'recovered');
    expect(resolved.subject).toBe('[Svc] Resolved: Errors of acme (critical)');
    expect(resolved.text).toContain('Reason: Recovered\n');
    expect(resolved.text).toContain('Peak: 100 %\n');
    expect(testMail(rule).subject).toBe('[Svc] [test] Errors of acme (critical)');
    expect(heldBackMail(rule).text).toContain('held back');
  });

  it.each([
    ['wallet_available_nanos', 1_250_000_000n, 'at or below 1.25 USD'],
    ['spend_nanos', 1n, 'at or above 0.000000001 USD'],
    ['wallet_runway_hours', 5n, 'at or below 5 h'],
    ['latency_p95_ms', 900n, 'at or above 900 ms'],
    ['circuit_open_seconds', 60n, 'at or above 60 s'],
    ['request_count', 0n, 'at or above 0'],
  ] as const)('writes a threshold of %s, %s, as %s', (metric, threshold, written) => {
    expect(testMail({ ...rule, metric, threshold }).text).toContain(`Threshold: ${written}\n`);
  });
});
