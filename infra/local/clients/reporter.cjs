// Jest's reporter of `npm run test:clients`: a line for each client, and a table of all at the end.

/** A describe block of apps/e2e/src/sdk-matrix.heavy.spec.ts. */
const PAIR = /^(?<client>.+) over (?<upstream>\S+) (?:in the protocol|as a provider) /;

class ClientReporter {
  /** By client, by upstream: how many features work, and how many were tried. */
  #clients = new Map();
  #problems = [];
  #current = null;

  onRunStart() {
    process.stdout.write('starting Svc and the upstreams …\n');
  }

  onTestCaseResult(_, { ancestorTitles, title, status, failureMessages, duration }) {
    if (status !== 'passed' && status !== 'failed') return;
    const [, pair = ''] = ancestorTitles;
    const isWorking = status === 'passed';
    if (!isWorking) this.#problems.push({ name: `${pair} ${title}`.trim(), failureMessages });
    const { client, upstream } = PAIR.exec(pair)?.groups ?? {};
    // A pair that is known not to work is tried too, and passes as long as it fails.
    if (client === undefined || title.endsWith('does not work')) return;
    if (client !== this.#current) this.#endLine();
    this.#current = client;
    const upstreams = this.#clients.get(client) ?? new Map();
    const cell = upstreams.get(upstream) ?? { working: 0, tried: 0, milliseconds: 0 };
    cell.working += isWorking ? 1 : 0;
    cell.tried += 1;
    cell.milliseconds += duration ?? 0;
    upstreams.set(upstream, cell);
    this.#clients.set(client, upstreams);
  }

  onRunComplete(_, results) {
    this.#endLine();
    for (const { name, failureMessages } of this.#problems) {
      const [message = ''] = failureMessages;
      process.stdout.write(`\n✗ ${name}\n${message.split('\n').slice(0, 12).join('\n')}\n`);
    }
    for (const { testExecError } of results.testResults)
      if (testExecError) process.stdout.write(`\n${testExecError.stack ?? testExecError.message}\n`);
    process.stdout.write(`\n${this.#table()}\n`);
    process.stdout.write('\nWhat each can do: docs/clients.md\n\n');
  }

  #endLine() {
    if (this.#current === null) return;
    const cells = [...this.#clients.get(this.#current).values()];
    const sum = (name) => cells.reduce((total, cell) => total + cell[name], 0);
    const [working, tried] = [sum('working'), sum('tried')];
    const seconds = (sum('milliseconds') / 1000).toFixed(1);
    process.stdout.write(
      `${working === tried ? '✓' : '✗'} ${this.#current}: ${working} of ${tried}, ${seconds} s\n`,
    );
    this.#current = null;
  }

  #table() {
    const upstreams = [...new Set([...this.#clients.values()].flatMap((cells) => [...cells.keys()]))];
    const rows = [...this.#clients].map(([client, cells]) => [
      client,
      ...upstreams.map((upstream) => {
        const { working = 0, tried = 0 } = cells.get(upstream) ?? {};
        return tried === 0 ? '–' : `${working}/${tried}`;
      }),
    ]);
    const all = [['client', ...upstreams], ...rows];
    const widths = all[0].map((_, at) => Math.max(...all.map((row) => row[at].length)));
    return all
      .map((row) =>
        row
          .map((cell, at) => cell.padEnd(widths[at]))
          .join('  ')
          .trimEnd(),
      )
      .join('\n');
  }
}

module.exports = ClientReporter;
