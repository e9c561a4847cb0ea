import { banner, readyLine, type ReadyReport } from './banner';

const first: ReadyReport = {
  base_url: 'http://localhost:8080',
  api_key: 'svc_sk_0123456789abcdef',
  organization_id: 'org_1',
  project_id: 'proj_1',
  owner_email: 'owner@example.com',
  owner_password: 'correct-horse',
  platform_token: 'svc_pt_1',
};
const later: ReadyReport = { ...first, api_key: null, owner_password: null, platform_token: null };
const simulatorUrl = 'http://127.0.0.1:9101';
const secretsFile = '.svc/first-start-secrets.env';
const around = { simulatorUrl, isTestMode: true, secretsFile, logFile: null };

const curlsOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));

describe('the banner', () => {
  it('names all that a person needs to begin', () => {
    const text = banner(first, around);
    const { base_url, api_key, owner_email, owner_password, platform_token } = first;
    for (const known of [
      base_url,
      `${base_url}/api/v1/docs`,
      api_key,
      owner_email,
      owner_password,
      platform_token,
      simulatorUrl,
      secretsFile,
    ]) {
      expect(text).toContain(known);
    }
  });

  it('says that no money moves in test mode, and nothing of it elsewhere', () => {
    expect(banner(first, around)).toContain('test mode: no money moves');
    expect(banner(first, { ...around, isTestMode: false })).not.toContain('Payments');
  });

  it('has the address of the console before all others', () => {
    const [, address] = /(http\S+)/.exec(banner(first, around))!;
    expect(address).toBe('http://localhost:8080/console/');
  });

  it('has the address of the operator’s console beside the token that it takes', () => {
    const text = banner(first, around);
    expect(text).toContain('http://localhost:8080/operator/ (sign in with the platform token)');
    expect(text).not.toContain(`/operator/?`);
  });

  it('has three curl lines, one a route, each whole on its line', () => {
    expect(curlsOf(banner(first, around))).toEqual([
      `curl -s http://localhost:8080/v1/models -H "Authorization: Bearer ${first.api_key!}"`,
      expect.stringMatching(/^curl -s http:\/\/localhost:8080\/v1\/chat\/completions .* -d '\{.*\}'$/),
      expect.stringMatching(/^curl -s http:\/\/localhost:8080\/v1\/messages .* -d '\{.*\}'$/),
    ]);
  });

  it('has curl lines with bodies that a shell passes on as the JSON they are', () => {
    const bodies = curlsOf(banner(first, around)).flatMap((line) => / -d '([^']*)'$/.exec(line)?.[1] ?? []);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { model: 'simulator/echo', messages: [{ role: 'user', content: 'Hello' }] },
      expect.objectContaining({ model: 'simulator/echo', max_tokens: 256, stream: true }),
    ]);
  });

  it('on later starts has curl lines for a key that the caller sets, and no word of a null', () => {
    const text = banner(later, around);
    for (const line of curlsOf(text)) expect(line).toContain('"Authorization: Bearer $SVC_API_KEY"');
    expect(text).not.toContain('null');
    expect(text).toContain(secretsFile);
  });

  it('names the file of secrets only while it is there, and that of the log only where there is one', () => {
    const text = banner(later, { ...around, secretsFile: null });
    expect(text).not.toMatch(/Secrets|Log /);
    expect(text).toContain('(as printed by the first start)');
    expect(banner(first, { ...around, logFile: '.svc/svc.log' })).toContain('.svc/svc.log');
  });
});

describe('the SVC_READY line', () => {
  it('is one line of JSON with every promised field', () => {
    const line = readyLine({ ...first, owner_password: 'a\n"b"' });
    expect(line).not.toContain('\n');
    expect(line).toMatch(/^SVC_READY \{/);
    expect(JSON.parse(line.slice('SVC_READY '.length))).toEqual({ ...first, owner_password: 'a\n"b"' });
  });

  it('has null for each secret that is not known any more', () => {
    expect(JSON.parse(readyLine(later).slice('SVC_READY '.length))).toMatchObject({
      api_key: null,
      owner_password: null,
      platform_token: null,
    });
  });
});
