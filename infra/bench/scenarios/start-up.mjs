// From the start of a process to its first answer.
import { say } from '../../local/workspace.mjs';
import { summarise } from '../report/summary.mjs';
import { candidates } from '../world.mjs';

export const startUp = {
  name: 'start-up',
  title: 'Start-up, until the candidate answers that it is ready',
  baseline: 'bare',
  async measure(world, { rounds }) {
    const variants = ['bare', 'svc', 'portkey'].map((name) => ({
      name,
      label: candidates[name].label,
      candidate: name,
      failure: null,
      rounds: [],
    }));
    for (let round = 0; round < rounds; round++) {
      for (const variant of variants) {
        const started = await candidates[variant.name].start(world);
        variant.rounds.push({
          readyMs: started.readyMs,
          cpuMilliseconds: started.cpuMicros() / 1000,
          residentMegabytes: started.residentMegabytes(),
        });
        await started.stop();
      }
      say(`start-up: round ${round + 1} of ${rounds}`);
    }
    return { rows: summarise(variants, this.baseline) };
  },
};
