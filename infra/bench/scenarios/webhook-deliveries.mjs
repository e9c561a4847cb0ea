// Webhook deliveries a second, beside a bare loop that signs and posts the same bodies to the same receiver over the same
// kind of connection. Both in one process on the core of candidates; the receiver is on the others.
import { say } from '../../local/workspace.mjs';
import { summarise } from '../report/summary.mjs';
import { runSender } from '../webhooks/run-sender.mjs';

export const webhookDeliveries = {
  name: 'webhook-deliveries',
  title: 'Webhook deliveries',
  baseline: 'bare',
  async measure(world, { rounds, quick }) {
    const bare = { name: 'bare', label: 'bare loop of signed POSTs', failure: null, rounds: [] };
    const svc = { name: 'svc', label: 'Svc’s dispatcher', failure: null, rounds: [] };
    await runSender(world, 'sender', [rounds, quick ? 2 : 20], {
      onLine({ kind, ...figures }) {
        (kind === 'bare' ? bare : svc).rounds.push(figures);
        if (kind === 'svc') say(`webhook-deliveries: round ${svc.rounds.length} of ${rounds}`);
      },
    });
    return { rows: summarise([bare, svc], this.baseline) };
  },
};
