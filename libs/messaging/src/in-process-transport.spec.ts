import { InProcessTransport } from './in-process-transport';

const record = (id: string) => ({
  id,
  type: 'wallet.credit_granted',
  organizationId: 'org_1',
  payload: '{}',
});

describe('the in-process event transport', () => {
  it('hands every record to every consumer in the order it was published', async () => {
    const transport = new InProcessTransport();
    const seen: string[] = [];
    transport.subscribe(async ({ id }) => void seen.push(`first ${id}`));
    transport.subscribe(async ({ id }) => void seen.push(`second ${id}`));
    await transport.publish([record('evt_1'), record('evt_2')]);
    expect(seen).toEqual(['first evt_1', 'second evt_1', 'first evt_2', 'second evt_2']);
  });

  it('rejects when a consumer fails, so that the relay publishes again', async () => {
    const transport = new InProcessTransport();
    transport.subscribe(() => Promise.reject(new Error('no')));
    await expect(transport.publish([record('evt_1')])).rejects.toThrow('no');
  });
});
