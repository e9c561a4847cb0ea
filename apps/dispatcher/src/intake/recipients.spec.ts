import { formatId, ID_ENTROPY_BYTES } from '@svc/kernel';
import { recipientsOf } from './recipients';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 1);
const endpointId = (timeMs: number, place = 0) =>
  formatId('webhookEndpoint', timeMs, new Uint8Array(ID_ENTROPY_BYTES).fill(place));
const eventAt = (type: string, timeMs = NOW_MS, data: object = {}) => ({
  id: formatId('event', timeMs, new Uint8Array(ID_ENTROPY_BYTES)),
  type,
  organizationId: 'org_1',
  payload: JSON.stringify({ created_at: new Date(timeMs).toISOString(), data }),
});
const endpoint = (id: string, ...eventTypes: readonly string[]) => ({ id, eventTypes });

describe('the recipients of an event', () => {
  it('33: are the endpoints that subscribe to it, by name, by noun, or to everything', () => {
    const [all, named, noun, other] = [0, 1, 2, 3].map((place) => endpointId(NOW_MS - HOUR_MS, place));
    const endpoints = [
      endpoint(all!),
      endpoint(named!, 'api_key.revoked', 'fine_tuning.job.failed'),
      endpoint(noun!, 'fine_tuning.*'),
      endpoint(other!, 'credential.*'),
    ];
    expect(recipientsOf(eventAt('fine_tuning.job.failed'), endpoints)).toEqual([all, named, noun]);
    expect(recipientsOf(eventAt('budget.exceeded'), endpoints)).toEqual([all]);
    expect(recipientsOf(eventAt('budget.exceeded'), [])).toEqual([]);
  });

  it('32: existed when it happened: an endpoint receives its own creation, and never an earlier event', () => {
    const [before, atOnce, after] = [NOW_MS - 1, NOW_MS, NOW_MS + 1].map((timeMs) => endpointId(timeMs));
    const endpoints = [endpoint(before!), endpoint(atOnce!), endpoint(after!)];
    expect(recipientsOf(eventAt('webhook.endpoint_created'), endpoints)).toEqual([before, atOnce]);
  });

  it('existed by the time that the event itself has: an id may have the beginning of its hour', () => {
    const made = endpointId(NOW_MS + 1);
    const ofTheHour = { ...eventAt('credential.auth_failed', NOW_MS + 2), id: eventAt('').id };
    expect(recipientsOf(ofTheHour, [endpoint(made)])).toEqual([made]);
    const ofBefore = { ...eventAt('credential.auth_failed', NOW_MS), id: eventAt('', NOW_MS + 2).id };
    expect(recipientsOf(ofBefore, [endpoint(made)])).toEqual([]);
  });

  it('30: of a disabled endpoint are all but that endpoint', () => {
    const [disabled, other] = [endpointId(NOW_MS - HOUR_MS, 1), endpointId(NOW_MS - HOUR_MS, 2)];
    const endpoints = [endpoint(disabled), endpoint(other, 'webhook.*')];
    const payload = { endpoint_id: disabled };
    expect(recipientsOf(eventAt('webhook.endpoint_disabled', NOW_MS, payload), endpoints)).toEqual([other]);
    expect(recipientsOf(eventAt('webhook.endpoint_updated', NOW_MS, payload), endpoints)).toEqual([
      disabled,
      other,
    ]);
  });
});
