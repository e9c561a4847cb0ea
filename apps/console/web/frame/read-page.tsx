import { type UseQueryResult } from '@tanstack/react-query';
import { type ReactElement, type ReactNode } from 'react';
import { isNotFound } from '../api/api-error';
import { Result } from '../ui/states/result';
import { Page } from './page';

interface ReadPageProps<Data> {
  readonly of: UseQueryResult<Data>;
  /** The title until it is read, and what a 404 is about: `Key`, `key`. */
  readonly words: { readonly title: string; readonly what: string };
  readonly parent?: ReactNode;
  /** The page itself. */
  readonly children: (data: Data) => ReactElement;
}

/** The page of one thing. Until that is read, a page with the state that stands in for it. */
export function ReadPage<Data>({ of, words, parent, children }: ReadPageProps<Data>): ReactElement {
  if (of.data !== undefined && !isNotFound(of.error)) return children(of.data);
  return (
    <Page title={words.title} parent={parent}>
      <Result of={of} what={words.what} lines={8}>
        {children}
      </Result>
    </Page>
  );
}
