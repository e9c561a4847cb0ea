import { css, look, stylesheet } from '@svc/http';

/** The page's own rules, after those that all pages of the service share. */
const rules = css`
  :root {
    --warn: #7a4a00;
    --warn-ground: #fdf5e6;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --warn: #f0c06a;
      --warn-ground: #2b2314;
    }
  }
  body {
    display: grid;
    gap: 1.5rem;
    align-content: start;
    justify-content: center;
    grid-template-columns: minmax(0, 44rem);
    padding: clamp(1.25rem, 6vh, 4rem) 1rem 3rem;
  }
  main,
  section,
  article {
    display: grid;
    gap: 1rem;
    min-width: 0;
  }
  main {
    gap: 2rem;
  }
  h2 {
    font-size: 1.0625rem;
    font-weight: 650;
  }
  h3 {
    font-size: 1rem;
    font-weight: 600;
  }
  .overall {
    padding: 1.25rem 1.5rem;
    border-radius: 0.875rem;
    font-size: 1.25rem;
  }
  .none {
    background: var(--good-ground);
    color: var(--good);
  }
  .minor {
    background: var(--warn-ground);
    color: var(--warn);
  }
  .major,
  .critical {
    background: var(--bad-ground);
    color: var(--bad);
  }
  .components,
  article {
    padding: 0 1.25rem;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    list-style: none;
  }
  article {
    gap: 0.75rem;
    padding-block: 1.25rem;
  }
  .components > li {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 1rem;
    padding-block: 0.75rem;
  }
  .components > li + li {
    border-top: 1px solid var(--line);
  }
  .operational {
    color: var(--good);
  }
  .degraded_performance {
    color: var(--warn);
  }
  .partial_outage,
  .major_outage {
    color: var(--bad);
  }
  ol {
    display: grid;
    gap: 1rem;
    padding: 0.25rem 0 0.25rem 1rem;
    border-left: 2px solid var(--line);
    list-style: none;
  }
  .message {
    white-space: pre-line;
  }
`;

export const style = stylesheet(look, rules);
