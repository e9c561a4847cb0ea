import { setTimeout as after } from 'node:timers/promises';
import { ReportLoop } from './report-loop';

const HOUR_MS = 3_600_000;

describe('a loop of reports', () => {
  it('reports at once when asked to, once for all that was asked in the same turn', async () => {
    let reports = 0;
    const loop = new ReportLoop({ everyMs: HOUR_MS, report: async () => void reports++ });
    loop.start();
    loop.askNow();
    loop.askNow();
    await after(20);
    expect(reports).toBe(1);
    await loop.stop();
  });

  it('reports again what was asked for while a report was under way, and never two at a time', async () => {
    let underWay = 0;
    let most = 0;
    let reports = 0;
    const loop: ReportLoop = new ReportLoop({
      everyMs: HOUR_MS,
      report: async () => {
        most = Math.max(most, ++underWay);
        if (reports++ === 0) loop.askNow();
        await after(5);
        underWay--;
      },
    });
    loop.askNow();
    await after(60);
    expect([reports, most]).toEqual([2, 1]);
    await loop.stop();
  });

  it('waits at its end for the report that is under way, and begins no other', async () => {
    const ended: string[] = [];
    const loop = new ReportLoop({
      everyMs: 1,
      report: async () => {
        await after(20);
        ended.push('report');
      },
    });
    loop.askNow();
    await after(5);
    await loop.stop();
    ended.push('stop');
    loop.askNow();
    await after(30);
    expect(ended).toEqual(['report', 'stop']);
  });
});
