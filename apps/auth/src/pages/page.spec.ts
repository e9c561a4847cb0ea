import { createHash } from 'node:crypto';
import { type FastifyReply } from 'fastify';
import { html } from '@svc/http';
import { sendPage, sendSeeOther } from './page';

/** A reply that keeps the page it was sent with. */
class SentReply {
  status = 0;
  body = '';
  readonly sent: Record<string, string> = {};
  code = (status: number) => Object.assign(this, { status });
  headers = (headers: Record<string, string>) => Object.assign(this, { sent: { ...this.sent, ...headers } });
  type = (type: string) => this.headers({ 'content-type': type });
  send = (body: string) => Object.assign(this, { body });
  redirect = (location: string, status: number) => this.headers({ location }).code(status);
}

const sent = (send: (reply: FastifyReply) => void): SentReply => {
  const reply = new SentReply();
  send(reply as unknown as FastifyReply);
  return reply;
};

describe('a page', () => {
  const {
    status,
    body,
    sent: headers,
  } = sent((reply) => {
    sendPage(reply, 410, { title: '<Over>', body: html`<h1>Over</h1>` });
  });
  const policy = new Map(
    headers['content-security-policy']!.split('; ').map((part) => part.split(/ (.*)/, 2) as [string, string]),
  );

  it('is whole, with its name in the tab', () => {
    expect(status).toBe(410);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).toMatch(/^<!doctype html>/);
    expect(body).toContain('<title>&lt;Over&gt; · Svc</title>');
    expect(body).toContain('<html lang="en">');
  });

  it('may use its own stylesheet and nothing else', () => {
    const css = /<style>([^]*)<\/style>/.exec(body)?.[1] ?? '';
    const hash = createHash('sha256').update(css).digest('base64');
    expect(policy.get('style-src')).toBe(`'sha256-${hash}'`);
    expect(policy.get('default-src')).toBe("'none'");
    expect(body).not.toMatch(/ style=| on\w+=|<script|<link|<img/);
  });

  it('is shown in no frame, kept by nobody, and told to no other site', () => {
    expect(policy.get('frame-ancestors')).toBe("'none'");
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  });

  it('lets a form lead to another site, as OAuth does', () => {
    expect(policy.has('form-action')).toBe(false);
  });
});

describe('the way on after a form', () => {
  it('is asked for anew, and kept by nobody', () => {
    const { status, sent: headers } = sent((reply) => {
      sendSeeOther(reply, '/auth/login');
    });
    expect(status).toBe(303);
    expect(headers).toMatchObject({ location: '/auth/login', 'cache-control': 'no-store' });
  });
});
