import { html } from './html';
import { css } from './stylesheet';

/** The shared style of all pages: light and dark colours, type, links and the focus. */
export const look = css`
  :root {
    color-scheme: light dark;
    --ground: #f5f5f2;
    --surface: #ffffff;
    --ink: #1b1b18;
    --muted: #5c5c55;
    --line: #e2e2dc;
    --field: #85857d;
    --accent: #1d4ed8;
    --good: #17653b;
    --good-ground: #eef7f1;
    --bad: #a11c14;
    --bad-ground: #fdf1ef;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #131311;
      --surface: #1c1c19;
      --ink: #f2f2ed;
      --muted: #a9a9a0;
      --line: #33332e;
      --field: #7b7b73;
      --accent: #93b4ff;
      --good: #86d7a7;
      --good-ground: #17271d;
      --bad: #ff9d92;
      --bad-ground: #2e1a18;
    }
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
    margin: 0;
  }
  body {
    min-height: 100vh;
    min-height: 100svh;
    background: var(--ground);
    color: var(--ink);
    font:
      1rem/1.5 system-ui,
      -apple-system,
      'Segoe UI',
      Roboto,
      'Helvetica Neue',
      sans-serif;
    -webkit-text-size-adjust: 100%;
    overflow-wrap: anywhere;
  }
  h1 {
    font-size: 1.5rem;
    font-weight: 650;
    line-height: 1.25;
    letter-spacing: -0.02em;
    text-wrap: balance;
  }
  strong {
    color: var(--ink);
    font-weight: 600;
  }
  a {
    color: var(--accent);
    text-underline-offset: 0.15em;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 0.5rem;
    font-weight: 650;
    letter-spacing: -0.01em;
  }
  .brand svg {
    width: 1.25rem;
    height: 1.25rem;
  }
  .muted {
    color: var(--muted);
  }
  .small {
    font-size: 0.875rem;
  }
`;

/** The name of the service with its logo. */
export const brand = html`<svg viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
    <path d="M2 22V12a10 10 0 0 1 20 0v10h-6V12a4 4 0 0 0-8 0v10z" />
  </svg>
  Svc`;
