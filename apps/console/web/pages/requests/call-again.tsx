import { type ReactElement } from 'react';
import { Section } from '../../app/page';
import { useRead } from '../../api/use-api';
import { useCan } from '../../session/organization';
import { CopyButton } from '../../ui/text/copy-button';
import { curlOf } from './curl';
import { type ModelRequest } from '../../calls/request';
import { text } from './text';
import styles from './requests.module.css';

const words = text.one;

/** The settings of the call, to make one like it. */
export function CallAgain({ of: call }: { readonly of: ModelRequest }): ReactElement {
  const canReadPolicy = useCan('policy:read');
  const { data: policy } = useRead('/policy', {}, { enabled: canReadPolicy });
  return (
    <Section title={words.again}>
      <p>
        {words.notKept} {policy !== undefined && words.retention[policy.retention]}
      </p>
      <div className={styles.actions}>
        <CopyButton text={curlOf(call, location.origin)} what="curl command" label={words.copyCurl} />
      </div>
    </Section>
  );
}
