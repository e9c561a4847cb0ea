interface Pod {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ports: readonly Port[];
  readonly address?: string;
}
interface Port {
  readonly name?: string;
  readonly port: number;
}
type Table = readonly (readonly string[])[];
type Judge = (from: Pod, to: Pod, port: Port) => boolean;

const OVERLAYS = ['dev', 'production'] as const;

let tableOf: (overlay: string) => Table;
let tableInPage: (overlay: string) => Table;
let judgeOf: (policies: readonly object[]) => Judge;
beforeAll(async () => {
  ({ tableOf, tableInPage } = (await import('./connections.mjs' as string)) as {
    tableOf: typeof tableOf;
    tableInPage: typeof tableInPage;
  });
  ({ judgeOf } = (await import('./network-policies.mjs' as string)) as { judgeOf: typeof judgeOf });
});

describe.each(OVERLAYS)('what may connect in %s', (overlay) => {
  /** By row and column. */
  const mayConnect = (who: string, what: string): string => {
    const [titles = [], ...rows] = tableOf(overlay);
    return rows.find(([name]) => name === who)![titles.indexOf(what)]!;
  };

  it('is what docs/connections.md says: run infra/k8s/connections.mjs after a change', () => {
    expect(tableInPage(overlay)).toEqual(tableOf(overlay));
  });

  it('has a row and a column of every pod', () => {
    const [titles = [], ...rows] = tableOf(overlay);
    for (const name of ['auth', 'console', 'dispatcher', 'edge', 'management', 'proxy', 'worker']) {
      expect(titles).toContain(`${name}:8080`);
      expect(rows.map(([who]) => who)).toContain(name);
    }
    expect(new Set(titles).size).toBe(titles.length);
    for (const row of rows) expect(row).toHaveLength(titles.length);
  });

  it('leads from outside to the proxy alone, and from there to services that have routes', () => {
    const reachable = (who: string): string[] => {
      const [titles = [], ...rows] = tableOf(overlay);
      const row = rows.find(([name]) => name === who)!;
      return titles.filter((_, index) => row[index] === 'yes');
    };
    expect(reachable('traefik')).toEqual(['proxy:8080']);
    expect(reachable('elsewhere')).toEqual([]);
    expect(reachable('proxy')).toEqual([
      'auth:8080',
      'console:8080',
      'edge:8080',
      'management:8080',
      'DNS:53',
    ]);
  });

  it('leads no pod to a metadata service, and those alone to the internet that have to call it', () => {
    const [, ...rows] = tableOf(overlay);
    const ours = rows.map(([who = '']) => who).filter((who) => mayConnect(who, 'internet:443') !== '-');
    expect(ours.filter((who) => mayConnect(who, 'metadata:80') !== '')).toEqual([]);
    expect(ours.filter((who) => mayConnect(who, 'internet:443') === 'yes')).toEqual([
      'auth',
      'dispatcher',
      'edge',
      'management',
      'worker',
    ]);
  });

  it('leads the edge alone to Redis', () => {
    const column = overlay === 'dev' ? 'redis:6379' : 'Redis:6379';
    const [, ...rows] = tableOf(overlay);
    const callers = rows.map(([who = '']) => who).filter((who) => mayConnect(who, column) === 'yes');
    expect(callers).toEqual(['edge']);
  });
});

describe('the judge of connections', () => {
  const pod = (name: string, namespace = 'here'): Pod => ({
    name,
    namespace,
    labels: { name },
    ports: [
      { name: 'http', port: 80 },
      { name: 'admin', port: 81 },
    ],
    address: '10.1.2.3',
  });
  const policy = (spec: object): object => ({ metadata: { namespace: 'here' }, spec });
  const only = (name: string): object => ({ podSelector: { matchLabels: { name } } });
  const [a, b] = [pod('a'), pod('b')];
  const http = a.ports[0]!;
  const admin = a.ports[1]!;

  it('lets pods connect that no policy selects', () => {
    expect(judgeOf([])(a, b, http)).toBe(true);
    expect(judgeOf([policy({ ...only('c'), policyTypes: ['Ingress', 'Egress'] })])(a, b, http)).toBe(true);
  });

  it('asks the policies of both sides, and adds up those of a side', () => {
    const isolated = policy({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const out = policy({ ...only('a'), policyTypes: ['Egress'], egress: [{ to: [only('b')] }] });
    const into = policy({ ...only('b'), ingress: [{ from: [only('a')] }] });
    expect(judgeOf([isolated])(a, b, http)).toBe(false);
    expect(judgeOf([isolated, out])(a, b, http)).toBe(false);
    expect(judgeOf([isolated, into])(a, b, http)).toBe(false);
    expect(judgeOf([isolated, out, into])(a, b, http)).toBe(true);
    expect(judgeOf([isolated, out, into])(b, a, http)).toBe(false);
  });

  it('knows ports by number and by the name that the called pod gives them, of TCP alone', () => {
    const opened = (port: object): Judge => judgeOf([policy({ ...only('b'), ingress: [{ ports: [port] }] })]);
    for (const port of [{ port: 80 }, { port: 'http' }]) {
      expect(opened(port)(a, b, http)).toBe(true);
      expect(opened(port)(a, b, admin)).toBe(false);
    }
    expect(opened({ protocol: 'TCP' })(a, b, admin)).toBe(true);
    expect(opened({ protocol: 'UDP', port: 80 })(a, b, http)).toBe(false);
  });

  it('means pods of the policy’s own namespace where it names none', () => {
    const peer = (selector: object): Judge =>
      judgeOf([policy({ ...only('b'), ingress: [{ from: [selector] }] })]);
    const stranger = pod('a', 'there');
    const there = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'there' } } };
    expect(peer(only('a'))(stranger, b, http)).toBe(false);
    expect(peer(there)(stranger, b, http)).toBe(true);
    expect(peer({ ...there, ...only('c') })(stranger, b, http)).toBe(false);
  });

  it('takes ranges without their exceptions', () => {
    const to = (ipBlock: object): Judge =>
      judgeOf([policy({ ...only('a'), policyTypes: ['Egress'], egress: [{ to: [{ ipBlock }] }] })]);
    const all = { cidr: '0.0.0.0/0', except: ['10.1.0.0/16'] };
    expect(to(all)(a, b, http)).toBe(false);
    expect(to(all)(a, { ...b, address: '10.2.0.1' }, http)).toBe(true);
    expect(to(all)(a, { ...b, address: '2001:db8::1' }, http)).toBe(false);
  });
});
