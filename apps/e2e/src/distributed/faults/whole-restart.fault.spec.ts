import { post } from '../../harness/clients';
import { testModel } from '../../harness/catalog-file';
import { type ServerName } from '../../harness/real-servers';
import { startFaultInstallation, type FaultInstallation } from './fault-installation';

jest.setTimeout(300_000);

let installation: FaultInstallation;
beforeAll(async () => {
  installation = await startFaultInstallation();
});
afterAll(() => installation.stop());

describe('a restart of everything at once', () => {
  it('ends each service with code 0 and no fatal line, though its servers went first', async () => {
    const { svc, servers } = installation;
    const call = { model: testModel, max_tokens: 10, messages: [{ role: 'user', content: 'Hi' }] };
    expect((await post(svc, '/v1/chat/completions', call)).status).toBe(200);
    for (const server of ['kafka', 'redis', 'postgresql'] satisfies ServerName[]) await servers.kill(server);
    const services = [...svc.edges, svc.management, svc.auth, ...svc.dispatchers, ...svc.workers];
    const ends = await Promise.all(
      services.map(async (service) => {
        const code = await service.stop();
        const fatal = service
          .logs()
          .split('\n')
          .filter((line) => line.includes('"level":"fatal"'));
        return [service.name, code, fatal] as const;
      }),
    );
    for (const server of ['postgresql', 'redis', 'kafka'] satisfies ServerName[]) await servers.up(server);
    expect(ends).toEqual(services.map(({ name }) => [name, 0, []]));
  });
});
