import { css } from '@svc/http';

/** The reference's own rules: contents beside the text on a desk, above it on a phone. */
export const layout = css`
  :root {
    --code-ground: #f0f0ec;
    --change: #8a4b08;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --code-ground: #262622;
      --change: #f0b46a;
    }
  }
  html {
    scroll-padding-top: 1rem;
  }
  body {
    display: grid;
    grid-template:
      'top main' auto
      'nav main' 1fr / 18rem minmax(0, 1fr);
    background: var(--surface);
    font-size: 0.9375rem;
  }
  .skip {
    position: absolute;
    left: 1rem;
    top: -4rem;
    z-index: 1;
    padding: 0.5rem 0.75rem;
    background: var(--surface);
  }
  .skip:focus {
    top: 1rem;
  }
  .top {
    grid-area: top;
    display: grid;
    gap: 0.25rem;
    padding: 1.5rem;
    background: var(--ground);
    border-right: 1px solid var(--line);
  }
  nav {
    grid-area: nav;
    background: var(--ground);
    border-right: 1px solid var(--line);
  }
  nav > ul {
    position: sticky;
    top: 0;
    max-height: 100vh;
    overflow-y: auto;
    padding: 0 0.75rem 2rem 1.5rem;
  }
  ul {
    padding: 0;
    list-style: none;
  }
  nav .chapter {
    display: block;
    padding-block: 0.875rem 0.25rem;
    color: var(--ink);
    font-weight: 600;
  }
  nav a {
    text-decoration: none;
  }
  nav a:hover,
  h3 a:hover {
    text-decoration: underline;
  }
  nav ul ul a {
    display: grid;
    grid-template-columns: 3.25rem 1fr;
    align-items: baseline;
    padding-block: 0.1875rem;
    color: var(--muted);
    font-size: 0.8125rem;
    line-height: 1.35;
  }
  main {
    grid-area: main;
    max-width: 84rem;
    padding: 3rem clamp(1.25rem, 4vw, 4rem) 6rem;
  }
  .introduction,
  .about {
    display: grid;
    gap: 0.75rem;
    max-width: 44rem;
  }
  h1 {
    font-size: 2rem;
  }
  h2 {
    margin-top: 4rem;
    font-size: 1.5rem;
    font-weight: 650;
    letter-spacing: -0.02em;
  }
  .about {
    margin-top: 0.375rem;
    color: var(--muted);
  }
  article {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 1.25rem 3rem;
    padding-block: 2.25rem;
    border-bottom: 1px solid var(--line);
  }
  article > header {
    display: grid;
    gap: 0.25rem;
  }
  h3 {
    margin-bottom: 0.25rem;
    font-size: 1.125rem;
    font-weight: 600;
    letter-spacing: -0.01em;
  }
  h3 a {
    color: inherit;
    text-decoration: none;
  }
  h4 {
    margin: 1.5rem 0 0.375rem;
    font-size: 0.8125rem;
    font-weight: 600;
  }
  code,
  pre,
  .method {
    font-family: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, monospace;
    font-size: 0.8125rem;
  }
  .route code {
    font-size: 0.875rem;
  }
  .method {
    display: inline-block;
    min-width: 3.25rem;
    font-size: 0.6875rem;
    font-weight: 700;
    letter-spacing: 0.02em;
    color: var(--accent);
  }
  .method.get {
    color: var(--good);
  }
  .method.patch,
  .method.put {
    color: var(--change);
  }
  .method.delete {
    color: var(--bad);
  }
  .text > p + p {
    margin-top: 0.625rem;
  }
  .callers {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1.5rem;
    font-size: 0.875rem;
  }
  p + .callers {
    margin-top: 0.75rem;
  }
  .callers > div {
    display: flex;
    gap: 0.5rem;
  }
  .callers dt,
  p.callers,
  .type,
  .bounds {
    color: var(--muted);
  }
  .fields > div,
  .catalogue > div {
    padding-block: 0.5rem;
    border-top: 1px solid var(--line);
  }
  .fields dt code,
  .catalogue dt code {
    font-weight: 600;
  }
  .type,
  .required,
  .bounds,
  .fields dd {
    font-size: 0.8125rem;
  }
  .required {
    color: var(--bad);
  }
  .values code,
  p code,
  .about code,
  dd code {
    padding: 0.0625rem 0.25rem;
    background: var(--code-ground);
    border-radius: 0.25rem;
    color: var(--ink);
  }
  .route code {
    padding: 0;
    background: none;
  }
  .errors {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    font-size: 0.8125rem;
  }
  .samples {
    display: grid;
    gap: 1rem;
    align-content: start;
  }
  figure {
    overflow: hidden;
    border: 1px solid var(--line);
    border-radius: 0.5rem;
  }
  figcaption {
    padding: 0.375rem 0.875rem;
    border-bottom: 1px solid var(--line);
    background: var(--ground);
    color: var(--muted);
    font-size: 0.75rem;
    font-weight: 600;
  }
  pre {
    padding: 0.75rem 0.875rem;
    white-space: pre-wrap;
    line-height: 1.5;
  }
  pre code {
    font-size: 0.75rem;
  }
  .catalogue {
    margin-top: 1rem;
    max-width: 44rem;
  }
  :target {
    scroll-margin-top: 1rem;
  }
  .catalogue > :target {
    background: var(--good-ground);
  }
  @media (min-width: 75rem) {
    article {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    }
    article > header {
      grid-column: 1 / -1;
    }
    .samples {
      position: sticky;
      top: 1rem;
    }
  }
  @media (max-width: 56rem) {
    body {
      grid-template: 'top' auto 'nav' auto 'main' auto / minmax(0, 1fr);
    }
    .top,
    nav {
      border-right: 0;
      padding-inline: 1.25rem;
    }
    .top {
      padding-block: 1.25rem 0.75rem;
    }
    nav {
      border-bottom: 1px solid var(--line);
    }
    nav > ul {
      position: static;
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1rem;
      max-height: none;
      padding: 0 0 1.25rem;
    }
    nav .chapter {
      padding-block: 0.25rem;
      font-weight: 500;
    }
    nav ul ul {
      display: none;
    }
    main {
      padding-top: 2rem;
    }
  }
`;
