import { type AnySvc } from '../harness/svc-process';

/** Acts as a member's browser: it keeps cookies, follows redirects of the service, and consents. */
export class MemberBrowser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly baseUrl: string) {}

  static async loggedIn({ baseUrl, ready }: AnySvc): Promise<MemberBrowser> {
    const browser = new MemberBrowser(baseUrl);
    const { owner_email: email, owner_password: password } = ready;
    const answer = await browser.send('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (answer.status !== 200) throw new Error(`Login: ${await answer.text()}`);
    return browser;
  }

  /** Opens the authorization URL, allows everything, and returns the URL of the redirect. */
  async consent(authorizationUrl: string | URL): Promise<URL> {
    const url = new URL(authorizationUrl);
    if (url.origin !== new URL(this.baseUrl).origin) throw new Error(`${url.origin} is another service.`);
    const path = url.pathname + url.search;
    const page = await this.send(path, { headers: { accept: 'text/html' } });
    const direct = page.headers.get('location');
    if (direct !== null) return new URL(direct, this.baseUrl);
    const text = await page.text();
    const form = new URLSearchParams({ decision: 'allow' });
    for (const [, name = '', value = ''] of text.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
      form.append(name, value);
    }
    for (const [, scope = ''] of text.matchAll(/name="scope" value="([^"]*)"/g)) form.append('scope', scope);
    const answer = await this.send(path, { method: 'POST', body: form });
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`No redirect: ${await answer.text()}`);
    return new URL(location);
  }

  /** The grants of the member, and their end. */
  async grants(): Promise<{ id: string; app: { id: string }; state: string }[]> {
    const answer = await this.send('/api/v1/oauth/grants?limit=100', {});
    return ((await answer.json()) as { data: { id: string; app: { id: string }; state: string }[] }).data;
  }

  async revokeGrant(id: string): Promise<number> {
    const session = (await (await this.send('/auth/session', {})).json()) as { csrf_token: string };
    const headers = { 'x-csrf-token': session.csrf_token };
    return (await this.send(`/api/v1/oauth/grants/${id}/revoke`, { method: 'POST', headers })).status;
  }

  private async send(path: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.baseUrl + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(init.headers as Record<string, string>), cookie },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.cookies.set(name, value);
    }
    return answer;
  }
}
