import { type ReactElement } from 'react';
import { Facts, Section } from '../../frame/page';
import { text } from './text';

const words = text.about;

/** Pages of the service, outside this application. */
export function About(): ReactElement {
  return (
    <Section title={words.title}>
      <Facts of={[[words.version, import.meta.env.SVC_VERSION]]} />
      <ul>
        <li>
          <a href="/api/v1/docs">{words.reference}</a>
        </li>
        <li>
          <a href="/api/v1/openapi.json">{words.document}</a>
        </li>
        <li>
          <a href="/auth/account">{words.account}</a>
        </li>
      </ul>
    </Section>
  );
}
