import { css, look, stylesheet } from '@svc/http';

/** The pages' own rules, after those that all pages of the service share. */
const rules = css`
  body {
    display: flex;
    flex-direction: column;
    align-items: center;
    gap: 1.5rem;
    padding: clamp(1.25rem, 10vh, 6rem) 1rem 3rem;
  }
  header,
  main {
    width: 100%;
    max-width: 26rem;
  }
  .brand {
    padding-inline: 0.125rem;
  }
  main {
    display: grid;
    gap: 1.5rem;
    padding: 2rem;
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: 0.875rem;
    box-shadow: 0 1px 2px rgb(0 0 0 / 4%);
  }
  main > *,
  form > * {
    min-width: 0;
  }
  .heading {
    display: grid;
    gap: 0.5rem;
  }
  .heading p,
  .hint {
    color: var(--muted);
  }
  .hint {
    font-size: 0.875rem;
  }
  form {
    display: grid;
    gap: 1.25rem;
  }
  .field {
    display: grid;
    gap: 0.375rem;
  }
  label,
  legend {
    font-weight: 550;
  }
  input:not([type='checkbox'], [type='radio']) {
    width: 100%;
    min-height: 2.75rem;
    padding: 0.5rem 0.75rem;
    background: var(--surface);
    color: inherit;
    border: 1px solid var(--field);
    border-radius: 0.5rem;
    font: inherit;
  }
  input[readonly] {
    background: var(--ground);
    border-color: var(--line);
    color: var(--muted);
  }
  input[aria-invalid='true'] {
    border-color: var(--bad);
  }
  .problem {
    color: var(--bad);
    font-size: 0.875rem;
  }
  button {
    min-height: 2.75rem;
    padding: 0.5rem 1rem;
    border: 1px solid var(--ink);
    border-radius: 0.5rem;
    background: var(--ink);
    color: var(--surface);
    font: inherit;
    font-weight: 600;
    cursor: pointer;
  }
  button:hover {
    background: color-mix(in srgb, var(--ink) 86%, var(--surface));
  }
  button.quiet {
    background: transparent;
    border-color: var(--field);
    color: var(--ink);
  }
  button.quiet:hover {
    background: var(--ground);
  }
  .actions {
    display: grid;
    grid-auto-columns: 1fr;
    grid-auto-flow: column;
    gap: 0.75rem;
  }
  .notice {
    padding: 0.75rem 1rem;
    border-radius: 0.5rem;
    background: var(--bad-ground);
    color: var(--bad);
    font-size: 0.9375rem;
  }
  .notice.good {
    background: var(--good-ground);
    color: var(--good);
  }
  h2 {
    font-size: 1.0625rem;
    font-weight: 650;
  }
  section {
    display: grid;
    gap: 1rem;
    padding-top: 1.5rem;
    border-top: 1px solid var(--line);
  }
  .facts,
  .choices,
  .rows {
    padding: 0;
    border: 0;
    border-block: 1px solid var(--line);
  }
  .facts > div,
  .choices > label {
    display: grid;
    gap: 0 1rem;
    padding-block: 0.625rem;
  }
  .rows {
    list-style: none;
  }
  .rows > li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 0 1rem;
    align-items: center;
    padding-block: 0.75rem;
  }
  .facts > div + div,
  .choices > label + label,
  .rows > li + li {
    border-top: 1px solid var(--line);
  }
  .facts > div {
    grid-template-columns: 2fr 3fr;
  }
  .facts dt {
    color: var(--muted);
  }
  fieldset,
  legend {
    min-width: 0;
    padding: 0;
    border: 0;
  }
  fieldset .choices {
    margin-top: 0.5rem;
  }
  .choices > label {
    grid-template-columns: auto 1fr;
    gap: 0 0.75rem;
    align-items: start;
    font-weight: inherit;
    cursor: pointer;
  }
  .choices input {
    width: 1.125rem;
    height: 1.125rem;
    margin-top: 0.1875rem;
    accent-color: var(--accent);
  }
  @media (max-width: 30rem) {
    body {
      background: var(--surface);
      padding-top: 1.5rem;
    }
    .brand {
      padding-inline: 0;
    }
    main {
      padding: 0.5rem 0 0;
      border: 0;
      border-radius: 0;
      box-shadow: none;
    }
    button.quiet:hover {
      background: var(--line);
    }
  }
`;

export const style = stylesheet(look, rules);
