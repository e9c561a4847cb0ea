import { exitOf, firstMatch, outputOf, spawnApp } from './app-process';

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
  /** The calls that reached it and have ended, oldest first. */
  journal(): Promise<JournalEntry[]>;
  /** How many reached it since the journal was cleared, those under way among them. */
  received(): Promise<number>;
  clearJournal(): Promise<void>;
  stop(): Promise<void>;
}

interface Journal {
  readonly entries: JournalEntry[];
  readonly counters: { readonly received: number };
}

interface SimulatorOptions {
  /** One that the operating system names where it is left out. */
  readonly port?: number;
  /** Where the events of simulated payments go, and what they are signed with. */
  readonly paymentWebhook?: { readonly url: string; readonly secret: string };
}

const LISTENS = /listens on (http:\/\/[^"]+)"/;

/** Starts the built simulator: an upstream whose journal shows what was really sent. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const { port = 0, paymentWebhook: webhook } = options;
  const child = spawnApp('simulator', {
    SVC_SIMULATOR_PORT: String(port),
    ...(webhook !== undefined && {
      SVC_SIMULATOR_WEBHOOK_URL: webhook.url,
      SVC_SIMULATOR_WEBHOOK_SECRET: webhook.secret,
    }),
  });
  const url = await firstMatch(child, outputOf(child), LISTENS);
  return { ...simulatorAt(url), stop: async () => void (await exitOf(child, 'SIGTERM')) };
}

/** A simulator that runs. */
export function simulatorAt(url: string): Omit<Simulator, 'stop'> {
  const journalUrl = `${url}/__simulator/journal`;
  const read = async () => (await (await fetch(journalUrl)).json()) as Journal;
  return {
    url,
    journal: async () => (await read()).entries,
    received: async () => (await read()).counters.received,
    clearJournal: async () => void (await fetch(journalUrl, { method: 'DELETE' })),
  };
}
