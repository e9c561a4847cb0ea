interface Phase {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

describe('npm run test:console', () => {
  let phasesOf: (...args: string[]) => Record<string, { flags: readonly string[]; paths: readonly string[] }>;
  beforeAll(async () => {
    const { consolePhases } = (await import('./console-phases.mjs' as string)) as {
      consolePhases: (args: readonly string[]) => Record<string, Phase>;
    };
    phasesOf = (...args) =>
      Object.fromEntries(
        Object.entries(consolePhases(args)).map(([name, { command }]) => {
          const [from, end] = [command.indexOf('--passWithNoTests'), command.indexOf('--')];
          return [name, { flags: command.slice(from + 1, end), paths: command.slice(end + 1) }];
        }),
      );
  });

  const states = 'states of the pages';
  const service = 'pages over the service';

  it('runs everything, with what Jest is told, where no path is named', () => {
    expect(phasesOf('-t', 'a few words')).toEqual({
      [states]: { flags: ['-t', 'a few words'], paths: ['apps/console/'] },
      [service]: { flags: ['-t', 'a few words'], paths: ['apps/e2e/src/console/'] },
    });
  });

  it('runs the named files alone, each in its phase', () => {
    const [wallet, bar] = [
      'apps/console/states/wallet.heavy.spec.ts',
      'apps/e2e/src/console/bar.heavy.spec.ts',
    ];
    expect(phasesOf(wallet)).toEqual({ [states]: { flags: [], paths: [wallet] } });
    expect(phasesOf('-t', 'words', wallet, bar)).toEqual({
      [states]: { flags: ['-t', 'words'], paths: [wallet] },
      [service]: { flags: ['-t', 'words'], paths: [bar] },
    });
  });
});
