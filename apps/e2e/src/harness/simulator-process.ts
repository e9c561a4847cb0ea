import { exitOf, outputOf, spawnApp } from './app-process';
import { freePort } from './free-ports';

/** The simulator's record of a call: never its contents. */
export interface JournalEntry {
  readonly at: string;
  readonly path: string;
  readonly model: string;
  readonly stream: boolean;
  readonly bytes: number;
  readonly status: number;
  readonly outcome: 'delivered' | 'interrupted';
}

export interface Simulator {
  readonly url: string;
  /** The calls that reached it, oldest first. */
  journal(): Promise<JournalEntry[]>;
  clearJournal(): Promise<void>;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 20_000;

interface SimulatorOptions {
  /** A free one where it is left out. */
  readonly port?: number;
  /** Where the events of simulated payments go. */
  readonly paymentWebhookUrl?: string;
}

/** Starts the built simulator: an upstream whose journal shows what was really sent. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const port = options.port ?? (await freePort());
  const { paymentWebhookUrl: webhookUrl } = options;
  const url = `http://127.0.0.1:${String(port)}`;
  const child = spawnApp('simulator', {
    SVC_SIMULATOR_PORT: String(port),
    ...(webhookUrl !== undefined && { SVC_SIMULATOR_WEBHOOK_URL: webhookUrl }),
  });
  const output = outputOf(child);
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(url))) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The simulator did not start. It printed:\n${output.text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const journalUrl = `${url}/__simulator/journal`;
  return {
    url,
    journal: async () => ((await (await fetch(journalUrl)).json()) as { entries: JournalEntry[] }).entries,
    clearJournal: async () => void (await fetch(journalUrl, { method: 'DELETE' })),
    stop: async () => void (await exitOf(child, 'SIGTERM')),
  };
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
