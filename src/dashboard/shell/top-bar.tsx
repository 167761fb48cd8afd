import { ActionIcon, Button } from '@mantine/core';
import { Bars, Search } from '../components/icons.tsx';
import { useConfig } from '../live/config.ts';
import { Account } from './account.tsx';
import classes from './frame.module.css';
import { LiveState } from './live-state.tsx';
import { Scope } from './scope.tsx';

/** The cluster, the namespace scope, the live state and the logged-in user. */
export function TopBar({ onMenu, onFind }: { onMenu(): void; onFind(): void }) {
  const config = useConfig();
  return (
    <header className={classes['top']}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Menu"
        aria-haspopup="dialog"
        className={classes['menu']}
        onClick={onMenu}
      >
        <Bars />
      </ActionIcon>
      {config && (
        <span className={classes['cluster']} title={`The cluster that Podmend watches: ${config.cluster}`}>
          <span className={classes['cluster-word']}>Cluster</span> <bdi>{config.cluster}</bdi>
        </span>
      )}
      <Scope />
      <span className={classes['grow']} />
      <Button
        size="compact-sm"
        variant="default"
        fw={400}
        c="dimmed"
        leftSection={<Search size={14} />}
        title="Go to a screen or an incident"
        aria-keyshortcuts="Control+K"
        className={classes['find']}
        onClick={onFind}
      >
        <span className={classes['find-name']}>Go to</span>{' '}
        <span className={classes['find-key']} aria-hidden="true">
          Ctrl K
        </span>
      </Button>
      <LiveState />
      <Account version={config?.version} />
    </header>
  );
}
