import { type GatewayError } from '@svc/kernel';
import {
  eventOfUpdate,
  INCIDENT_STATES,
  requireScope,
  standingAfter,
  type UpdatedIncident,
} from './incident';

const NOW = Date.parse('2026-11-23T12:00:00Z');
const DAY_MS = 86_400_000;

const incident: UpdatedIncident = {
  state: 'investigating',
  severity: 'major',
  components: ['inference'],
  providers: ['acme'],
  models: [],
  audience: 'affected',
  resolvedAt: null,
  updateCount: 1,
};
const resolved = (agoMs: number): UpdatedIncident => ({
  ...incident,
  state: 'resolved',
  resolvedAt: new Date(NOW - agoMs),
});
const refusalOf = (act: () => unknown): string | null => {
  try {
    act();
    return null;
  } catch (error) {
    return (error as GatewayError).reason;
  }
};

describe('an update by the operator', () => {
  it.each(
    (['investigating', 'identified', 'monitoring'] as const).flatMap((from) =>
      INCIDENT_STATES.map((to) => [from, to] as const),
    ),
  )('takes an incident from %s to %s', (from, to) => {
    expect(standingAfter({ ...incident, state: from }, { state: to }, NOW).state).toBe(to);
  });

  it('keeps what it does not name', () => {
    const { severity, components, providers, models } = incident;
    expect(standingAfter(incident, {}, NOW)).toEqual({
      state: 'investigating',
      severity,
      components,
      providers,
      models,
    });
  });

  it.each(['investigating', 'identified', 'monitoring'] as const)(
    'opens a resolved incident as %s within 24 hours, and not later',
    (state) => {
      expect(standingAfter(resolved(DAY_MS), { state }, NOW).state).toBe(state);
      expect(refusalOf(() => standingAfter(resolved(DAY_MS + 1), { state }, NOW))).toBe('conflict');
    },
  );

  it('of a resolved incident needs another state: nothing is told after the end', () => {
    expect(refusalOf(() => standingAfter(resolved(0), {}, NOW))).toBe('conflict');
    expect(refusalOf(() => standingAfter(resolved(0), { state: 'resolved' }, NOW))).toBe('conflict');
  });

  it('is the two hundredth at most', () => {
    expect(standingAfter({ ...incident, updateCount: 199 }, {}, NOW).state).toBe('investigating');
    expect(refusalOf(() => standingAfter({ ...incident, updateCount: 200 }, {}, NOW))).toBe('conflict');
  });

  it('cannot leave affected organizations without anything to be affected by', () => {
    expect(refusalOf(() => standingAfter(incident, { providers: [] }, NOW))).toBe('invalidRequest');
    expect(standingAfter(incident, { providers: [], models: ['m/acme'] }, NOW).models).toEqual(['m/acme']);
    expect(standingAfter({ ...incident, audience: 'all' }, { providers: [] }, NOW).providers).toEqual([]);
    expect(refusalOf(() => requireScope('affected', { providers: [], models: [] }))).toBe('invalidRequest');
  });
});

it('tells the end as such', () => {
  expect(INCIDENT_STATES.map(eventOfUpdate)).toEqual([
    'incident.updated',
    'incident.updated',
    'incident.updated',
    'incident.resolved',
  ]);
});
