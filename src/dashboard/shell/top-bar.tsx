import { ActionIcon } from '@mantine/core';
import { Bars } from '../components/icons.tsx';
import { useConfig } from '../live/config.ts';
import { Account } from './account.tsx';
import classes from './frame.module.css';
import { LiveState } from './live-state.tsx';
import { Scope } from './scope.tsx';

/** Which cluster, which namespaces, whether changes arrive, and who is logged in. */
export function TopBar({ onMenu }: { onMenu(): void }) {
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
          <bdi>{config.cluster}</bdi>
        </span>
      )}
      <Scope />
      <span className={classes['grow']} />
      <LiveState />
      <Account version={config?.version} />
    </header>
  );
}
