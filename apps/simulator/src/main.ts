import { readConfig } from './config';
import { startSimulator } from './start-simulator';

const DRAIN_MS = 10_000;

async function main(): Promise<void> {
  const { port, host, logsCalls, paymentWebhook } = readConfig();
  const simulator = await startSimulator({
    port,
    host,
    paymentWebhook,
    ...(logsCalls ? { log: writeLine } : {}),
  });
  writeLine({ message: `Svc simulator, no language model, listens on ${simulator.url}` });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => void simulator.close(DRAIN_MS));
  }
}

function writeLine(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
