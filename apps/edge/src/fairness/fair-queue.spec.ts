import fc from 'fast-check';
import { FairQueue } from './fair-queue';

/** Queues jobs, each of which records that it began and runs until the test ends it. */
class Jobs {
  readonly begun: string[] = [];
  private readonly queue = new FairQueue();
  private end: (() => void) | null = null;
  private readonly works: Promise<void>[] = [];

  add(tenant: string, size = 1): void {
    const work = () => {
      this.begun.push(tenant);
      return new Promise<void>((resolve) => (this.end = resolve));
    };
    this.works.push(this.queue.run(tenant, size, work));
  }

  /** Runs all queued jobs to their ends. */
  async runAll(): Promise<void> {
    while (this.end !== null || this.begun.length < this.works.length) await this.endOne();
    await Promise.all(this.works);
  }

  async endOne(): Promise<void> {
    await new Promise(setImmediate);
    const { end } = this;
    this.end = null;
    end?.();
    await new Promise(setImmediate);
  }
}

let jobs: Jobs;
beforeEach(() => {
  jobs = new Jobs();
});

describe('a fair queue', () => {
  it('serves the tenants in turn, and each one’s jobs in order of arrival', async () => {
    for (const tenant of ['a', 'a', 'a', 'b', 'b', 'c']) jobs.add(tenant);
    await jobs.runAll();
    expect(jobs.begun).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
  });

  it('serves a tenant’s small jobs as soon as the first of ten large ones of another is done', async () => {
    for (let work = 0; work < 10; work++) jobs.add('large', 10);
    for (let work = 0; work < 10; work++) jobs.add('small');
    await jobs.runAll();
    expect(jobs.begun.slice(0, 11)).toEqual(['large', ...Array<string>(10).fill('small')]);
  });

  it('serves a late tenant next, and from then on no more than the others', async () => {
    for (let work = 0; work < 8; work++) jobs.add('early');
    for (let work = 0; work < 4; work++) await jobs.endOne();
    for (let work = 0; work < 4; work++) jobs.add('late');
    await jobs.runAll();
    expect(jobs.begun.slice(5, 9).sort()).toEqual(['early', 'early', 'late', 'late']);
    expect(jobs.begun[5]).toBe('late');
  });

  it('serves a tenant no sooner for queueing its large jobs one by one', async () => {
    jobs.add('one by one', 10);
    for (let work = 0; work < 30; work++) jobs.add('many');
    await jobs.endOne();
    jobs.add('one by one', 10);
    await jobs.runAll();
    expect(jobs.begun.slice(1, 11)).toEqual(Array<string>(10).fill('many'));
  });

  it('goes on after a job that failed', async () => {
    const queue = new FairQueue();
    const failing = queue.run('a', 1, () => Promise.reject(new Error('no')));
    const next = queue.run('a', 1, () => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  it('keeps no waiting tenant behind another by more than the largest job of the two', async () => {
    const works = fc.array(
      fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), size: fc.integer({ min: 1, max: 9 }) }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(works, async (all) => {
        const queue = new FairQueue();
        const done: Record<string, number> = { a: 0, b: 0, c: 0 };
        const waiting: Record<string, number> = { a: 0, b: 0, c: 0 };
        for (const { tenant } of all) waiting[tenant] = waiting[tenant]! + 1;
        const taken = all.map(({ tenant, size }) =>
          queue.run(tenant, size, () => {
            for (const other of Object.keys(waiting)) {
              if (waiting[other]! > 0) expect(done[tenant]! - done[other]!).toBeLessThanOrEqual(9);
            }
            done[tenant] = done[tenant]! + size;
            waiting[tenant] = waiting[tenant]! - 1;
            return Promise.resolve();
          }),
        );
        await Promise.all(taken);
      }),
    );
  });
});
