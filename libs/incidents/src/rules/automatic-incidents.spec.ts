import fc from 'fast-check';
import {
  AUTOMATIC_REOPENED_WITHIN_MS,
  decideAutomaticIncidents,
  type AutomaticIncident,
  type AutomaticStep,
} from './automatic-incidents';
import { type IncidentState } from './incident';
import { type OpenSubject } from './judge-circuits';

const AFTER_MS = 300_000;
const NOW = new Date('2026-11-23T12:00:00Z');
const ago = (ms: number) => new Date(NOW.getTime() - ms);

const model = (openMs: number, providers = ['acme', 'beta']): OpenSubject => ({
  kind: 'model',
  name: 'm/both',
  severity: 'major',
  openSince: ago(openMs),
  providers,
});
const provider = (openMs: number, severity: 'minor' | 'major' = 'minor', name = 'acme'): OpenSubject => ({
  kind: 'provider',
  name,
  severity,
  openSince: ago(openMs),
  providers: [name],
});
const incident = (changes: Partial<AutomaticIncident> = {}): AutomaticIncident => ({
  id: 'inc_1',
  subject: { kind: 'model', name: 'm/both' },
  state: 'investigating',
  severity: 'major',
  managed: false,
  resolvedAt: null,
  quietSince: null,
  updateCount: 1,
  ...changes,
});
const ofProvider = { subject: { kind: 'provider', name: 'acme' }, severity: 'minor' } as const;
const steps = (open: readonly OpenSubject[], ...incidents: readonly AutomaticIncident[]) =>
  decideAutomaticIncidents({ open, incidents, now: NOW, afterMs: AFTER_MS });
const told = (all: readonly AutomaticStep[]) =>
  all.map((step) =>
    step.action === 'update' ? [step.incident.id, step.state, step.severity] : [step.action],
  );

describe('an automatic incident', () => {
  it('is opened after the circuits were open for the time that is set, begun when they opened', () => {
    expect(steps([model(AFTER_MS - 1)])).toEqual([]);
    expect(steps([model(AFTER_MS)])).toMatchObject([
      {
        action: 'open',
        subject: { kind: 'model', name: 'm/both' },
        severity: 'major',
        startedAt: ago(AFTER_MS),
        title: 'The model m/both is not available',
      },
    ]);
    expect(steps([provider(AFTER_MS)])).toMatchObject([
      { action: 'open', severity: 'minor', title: 'The provider acme is failing' },
    ]);
  });

  it('is one for each subject', () => {
    expect(steps([model(AFTER_MS)], incident())).toEqual([]);
  });

  it('is monitored after a quiet time as long, and resolved after twice that', () => {
    expect(steps([], incident())).toEqual([{ action: 'record', incident: incident(), quietSince: NOW }]);
    const quiet = (ms: number, state: IncidentState) => incident({ quietSince: ago(ms), state });
    expect(told(steps([], quiet(AFTER_MS - 1, 'investigating')))).toEqual([]);
    expect(told(steps([], quiet(AFTER_MS, 'investigating')))).toEqual([['inc_1', 'monitoring', 'major']]);
    expect(told(steps([], quiet(2 * AFTER_MS - 1, 'monitoring')))).toEqual([]);
    expect(told(steps([], quiet(2 * AFTER_MS, 'monitoring')))).toEqual([['inc_1', 'resolved', 'major']]);
    // Whoever was away for long does not tell what was in between.
    expect(told(steps([], quiet(2 * AFTER_MS, 'investigating')))).toEqual([['inc_1', 'resolved', 'major']]);
  });

  it('goes on when the circuits open again before its end, and its quiet time begins anew', () => {
    const quiet = incident({ quietSince: ago(AFTER_MS - 1) });
    expect(steps([model(1)], quiet)).toEqual([{ action: 'record', incident: quiet, quietSince: null }]);
    const monitored = incident({ quietSince: ago(AFTER_MS), state: 'monitoring' });
    expect(steps([model(1)], monitored)).toMatchObject([
      { action: 'update', state: 'investigating', quietSince: null },
    ]);
  });

  it('is the same one when the circuits open again within 30 minutes of its end', () => {
    const resolved = incident({ state: 'resolved', resolvedAt: ago(AUTOMATIC_REOPENED_WITHIN_MS - 1) });
    expect(told(steps([model(1)], resolved))).toEqual([['inc_1', 'investigating', 'major']]);
    expect(steps([], resolved)).toEqual([]);
  });

  it('of a provider changes its severity with the models that it leaves without an endpoint', () => {
    const open = incident(ofProvider);
    expect(told(steps([provider(1, 'minor')], open))).toEqual([]);
    expect(told(steps([provider(1, 'major')], open))).toEqual([['inc_1', 'investigating', 'major']]);
    expect(told(steps([provider(1, 'minor')], { ...open, severity: 'major' }))).toEqual([
      ['inc_1', 'investigating', 'minor'],
    ]);
  });

  it('of a provider takes in the incidents of models that it explains', () => {
    const open = incident({ ...ofProvider, id: 'inc_2' });
    const explained = model(AFTER_MS, ['acme']);
    expect(told(steps([provider(AFTER_MS), explained], open, incident()))).toEqual([
      ['inc_1', 'resolved', 'major'],
    ]);
    expect(told(steps([provider(AFTER_MS), explained]))).toEqual([['open']]);
    // It does not explain a model that is at another provider too.
    expect(told(steps([provider(AFTER_MS), model(AFTER_MS)]))).toEqual([['open'], ['open']]);
  });

  it('does nothing by itself once a person has updated it', () => {
    const managed = incident({ managed: true });
    for (const open of [[], [model(AFTER_MS)], [provider(AFTER_MS), model(AFTER_MS, ['acme'])]]) {
      expect(steps(open, managed).filter(({ action }) => action !== 'open')).toEqual([]);
    }
    expect(steps([], { ...managed, quietSince: ago(9 * AFTER_MS) })).toEqual([]);
    const closed = { ...managed, state: 'resolved', resolvedAt: ago(1) } as const;
    expect(steps([model(AFTER_MS)], closed)).toEqual([]);
  });

  it('keeps its last update for its end', () => {
    const full = { updateCount: 199, quietSince: ago(AFTER_MS) };
    expect(told(steps([], incident(full)))).toEqual([]);
    expect(told(steps([], incident({ ...full, quietSince: ago(2 * AFTER_MS) })))).toEqual([
      ['inc_1', 'resolved', 'major'],
    ]);
    expect(told(steps([model(1)], incident({ ...full, state: 'monitoring' })))).toEqual([['record']]);
    const resolved = incident({ updateCount: 200, state: 'resolved', resolvedAt: ago(1) });
    expect(told(steps([model(AFTER_MS)], resolved))).toEqual([['open']]);
  });
});

describe('whatever the circuits do', () => {
  const MINUTE_MS = 60_000;
  const observed = fc.record({
    minutes: fc.integer({ min: 1, max: 20 }),
    open: fc.subarray(['acme', 'm/both', 'm/acme']),
  });

  it('one incident a subject is open, nothing repeats itself, and each ends once before it opens again', () => {
    fc.assert(
      fc.property(fc.array(observed, { maxLength: 60 }), (observations) => {
        const world = new World();
        for (const { minutes, open } of observations) world.observe(minutes * MINUTE_MS, open);
        for (const [key, states] of world.histories) {
          states.slice(1).forEach((state, at) => {
            expect([key, state]).not.toEqual([key, states[at]]);
          });
          expect(states[0]).toBe('investigating');
        }
        // Once all is well for long enough, nothing is left open.
        for (let quiet = 0; quiet < 5; quiet++) world.observe(AFTER_MS, []);
        expect(world.open()).toEqual([]);
        world.observe(AFTER_MS, []);
        expect(world.lastSteps).toEqual([]);
      }),
    );
  });

  /** Applies the steps as the database would. */
  class World {
    private nowMs = NOW.getTime();
    private readonly since = new Map<string, Date>();
    private incidents: AutomaticIncident[] = [];
    readonly histories = new Map<string, string[]>();
    lastSteps: readonly AutomaticStep[] = [];

    open = () => this.incidents.filter(({ state }) => state !== 'resolved');

    observe(passedMs: number, names: readonly string[]): void {
      this.nowMs += passedMs;
      const now = new Date(this.nowMs);
      for (const name of this.since.keys()) if (!names.includes(name)) this.since.delete(name);
      for (const name of names) if (!this.since.has(name)) this.since.set(name, now);
      const open = names.map((name): OpenSubject => ({
        kind: name === 'acme' ? 'provider' : 'model',
        name,
        severity: names.includes('m/acme') || name !== 'acme' ? 'major' : 'minor',
        openSince: this.since.get(name)!,
        providers: name === 'm/both' ? ['acme', 'beta'] : ['acme'],
      }));
      const incidents = this.incidents.filter(
        ({ resolvedAt }) =>
          resolvedAt === null || this.nowMs - resolvedAt.getTime() < AUTOMATIC_REOPENED_WITHIN_MS,
      );
      this.lastSteps = decideAutomaticIncidents({ open, incidents, now, afterMs: AFTER_MS });
      for (const step of this.lastSteps) this.take(step, now);
      const subjects = this.open().map(({ subject }) => subject.name);
      expect(new Set(subjects).size).toBe(subjects.length);
    }

    private take(step: AutomaticStep, now: Date): void {
      if (step.action === 'open') {
        const id = `inc_${String(this.incidents.length)}`;
        this.incidents.push(incident({ id, subject: step.subject, severity: step.severity }));
        this.histories.set(id, ['investigating']);
        expect(now.getTime() - step.startedAt.getTime()).toBeGreaterThanOrEqual(AFTER_MS);
        return;
      }
      const at = this.incidents.findIndex(({ id }) => id === step.incident.id);
      const before = this.incidents[at]!;
      if (step.action === 'record') {
        this.incidents[at] = { ...before, quietSince: step.quietSince };
        return;
      }
      const { state, severity, quietSince } = step;
      const resolvedAt = state === 'resolved' ? now : null;
      const updateCount = before.updateCount + 1;
      this.incidents[at] = { ...before, state, severity, quietSince, resolvedAt, updateCount };
      const history = this.histories.get(before.id)!;
      if (severity === before.severity) history.push(state);
      else if (history.at(-1) !== state) history.push(state);
    }
  }
});
