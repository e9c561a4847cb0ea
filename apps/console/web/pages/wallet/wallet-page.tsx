import { type ReactElement } from 'react';
import { useRead } from '../../api/use-api';
import { useOpened } from '../../browser/opened';
import { Page, Section } from '../../frame/page';
import { useCan } from '../../session/organization';
import { AddButton } from '../../ui/button/add-button';
import { Note } from '../../ui/states/notes';
import { Result } from '../../ui/states/result';
import { Tabs } from '../../ui/tabs/tabs';
import { AddCredit } from './add-credit';
import { CreditGrants } from './credit-grants';
import { Figures } from './figures';
import { Payments } from './payments';
import { walletRoute } from './route';
import { text } from './text';
import { Transactions } from './transactions';
import styles from './wallet.module.css';

export function WalletPage(): ReactElement {
  const { checkout } = walletRoute.useSearch();
  const canAdd = useCan('wallet:write');
  const wallet = useRead('/wallet', {});
  const adding = useOpened('add');
  return (
    <Page
      title={text.title}
      subtitle={text.purpose}
      actions={canAdd && <AddButton onClick={adding.open}>{text.addCredit}</AddButton>}
    >
      {checkout !== undefined && (
        <div className={styles.returned}>
          <Note>{text.returned[checkout]}</Note>
        </div>
      )}
      <Section title={text.figures.title}>
        <Result of={wallet} lines={3}>
          {(figures) => <Figures of={figures} />}
        </Result>
      </Section>
      <Lists />
      {canAdd && <AddCredit {...adding.dialog} />}
    </Page>
  );
}

const panels = { transactions: <Transactions />, payments: <Payments />, grants: <CreditGrants /> };

/** Each list with its own pages: another tab begins with its first. */
function Lists(): ReactElement {
  const { tab = 'transactions' } = walletRoute.useSearch();
  const navigate = walletRoute.useNavigate();
  const words = text.tabs;
  return (
    <Tabs
      label={words.label}
      value={tab}
      onChange={(next) =>
        void navigate({ search: { tab: next === 'transactions' ? undefined : next }, replace: true })
      }
      tabs={(['transactions', 'payments', 'grants'] as const).map((key) => ({
        key,
        label: words[key],
        panel: key === tab && panels[key],
      }))}
    />
  );
}
