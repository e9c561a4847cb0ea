type Fields = Readonly<Record<string, string>>;

export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of the redirect; null for none. */
  readonly location: string | null;
}

/** Acts as a browser: it keeps cookies and sends forms, but follows no redirect by itself. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  get(path: string, headers: Fields = {}): Promise<Shown> {
    return this.send(path, { headers: { accept: 'text/html', ...headers } });
  }

  post(path: string, form: Fields, headers: Fields = {}): Promise<Shown> {
    return this.send(path, {
      method: 'POST',
      headers: { accept: 'text/html', ...headers },
      body: new URLSearchParams(form),
    });
  }

  postJson(path: string, body: unknown, headers: Fields = {}): Promise<Shown> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  /** Opens a page and sends its form, with its hidden fields. */
  async submit(path: string, fields: Fields, headers: Fields = {}): Promise<Shown> {
    const { text } = await this.get(path);
    const action = unescape(/action="([^"]*)"/.exec(text)?.[1] ?? '');
    return this.post(action, { ...hiddenFields(text), ...fields }, headers);
  }

  async send(path: string, init: RequestInit): Promise<Shown> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(this.url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(init.headers as Fields), ...(cookie === '' ? {} : { cookie }) },
    });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: answer.headers.get('location'),
    };
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export function hiddenFields(text: string): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name, unescape(value ?? '')]));
}

const unescape = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
