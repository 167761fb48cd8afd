import { Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { NotificationSetting } from '../../contract/notification.ts';
import { useAddress } from '../components/address.ts';
import { Back } from '../components/icons.tsx';
import { PageHead } from '../components/page-head.tsx';
import { Deliveries } from './deliveries.tsx';
import { EditProvider } from './edit.tsx';
import classes from './notifications.module.css';
import { Readiness, Trouble } from './row.tsx';
import { TestButton, TestSaid, useTest } from './test-message.tsx';

/** One provider: its settings and the history of its messages. */
export function Provider({ setting }: { setting: NotificationSetting }) {
  const [{ part }, change] = useAddress();
  const test = useTest(setting.provider);
  return (
    <>
      <Link to="/notifications" className={classes['back']}>
        <Back size={14} /> All providers
      </Link>
      <PageHead title={setting.provider} beside={<Readiness setting={setting} />}>
        <TestButton test={test} />
      </PageHead>
      <div className={classes['said']}>
        <Trouble setting={setting} />
        <TestSaid test={test} />
      </div>
      <Tabs
        value={part === 'history' ? 'history' : 'settings'}
        keepMounted={false}
        onChange={(value) => change({ part: value === 'history' ? value : undefined })}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings">
          <EditProvider key={JSON.stringify([setting.enabled, setting.config])} before={setting} names={[]} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <Deliveries provider={setting.provider} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
