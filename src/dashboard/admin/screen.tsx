import { Text } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { EmptyState } from '../components/empty-state.tsx';
import { useReason } from '../components/guarded.tsx';
import { PageHead } from '../components/page-head.tsx';
import { About } from './about.tsx';
import { Account } from './account.tsx';
import classes from './admin.module.css';
import { Agents } from './agents.tsx';
import { Audit } from './audit.tsx';
import { Model } from './model.tsx';
import { Settings } from './settings.tsx';
import { Users } from './users.tsx';

interface Tab {
  id: string;
  name: string;
  /** Only administrators may see it. */
  isForAdmins: boolean;
  panel: ComponentType;
}

const TABS: readonly Tab[] = [
  { id: 'about', name: 'About', isForAdmins: false, panel: About },
  { id: 'agents', name: 'Agents', isForAdmins: false, panel: Agents },
  { id: 'users', name: 'Users', isForAdmins: true, panel: Users },
  { id: 'model', name: 'Model', isForAdmins: true, panel: Model },
  { id: 'settings', name: 'Settings', isForAdmins: true, panel: Settings },
  { id: 'audit', name: 'Audit log', isForAdmins: true, panel: Audit },
  { id: 'account', name: 'Your account', isForAdmins: false, panel: Account },
];

/** Administration of the installation and its users. Each tab has its own address. */
export function Screen() {
  const { tab } = useParams({ strict: false }) as { tab?: string };
  const reason = useReason('admin');
  const chosen = tab === undefined ? TABS[0] : TABS.find(({ id }) => id === tab);
  const Panel = chosen?.panel;
  return (
    <>
      <PageHead title={chosen && tab !== undefined ? `Admin: ${chosen.name}` : 'Admin'} />
      <nav className={classes['tabs']} aria-label="Administration">
        {TABS.map(({ id, name }) => (
          <Link
            key={id}
            to="/admin/$tab"
            params={{ tab: id } as never}
            className={classes['tab']}
            aria-current={id === chosen?.id ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {!chosen || !Panel ? (
        <Text>There is no such page here. Choose one above.</Text>
      ) : chosen.isForAdmins && reason !== undefined ? (
        <EmptyState title="This is for administrators">{reason.replace('This can be done by', 'It can be seen by')}</EmptyState>
      ) : (
        <div className={classes['panel']}>
          <Panel />
        </div>
      )}
    </>
  );
}
