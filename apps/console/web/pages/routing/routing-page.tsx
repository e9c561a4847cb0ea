import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { Page } from '../../frame/page';
import { Result } from '../../ui/states/result';
import { Editor } from './editor';
import { text } from './text';
import { Versions } from './versions';

/** As long as an editor may be behind another one before it is told. */
const READ_AGAIN_MS = 60_000;

export function RoutingPage(): ReactElement {
  const policy = useRead('/policy', {}, { everyMs: READ_AGAIN_MS });
  return (
    <Page title={text.title} subtitle={text.purpose}>
      <Result of={policy} lines={12}>
        {(current) => (
          <>
            <Editor current={current} onOutdated={() => void policy.refetch()} />
            <Versions current={current} onOutdated={() => void policy.refetch()} />
          </>
        )}
      </Result>
    </Page>
  );
}
