import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import classes from './frame.module.css';

/** A screen in the rail and in the palette. */
export interface ScreenEntry {
  path: string;
  name: string;
  icon: ComponentType<{ size?: number }>;
  /** Named places on the screen that the palette offers. */
  places?: readonly { name: string; search: Readonly<Record<string, string>> }[];
}

interface RailProps {
  screens: readonly ScreenEntry[];
  /** Called when somebody goes to a screen. */
  onGo?(): void;
}

/** Links to the screens. */
export function Rail({ screens, onGo }: RailProps) {
  return (
    <div className={classes['screens']}>
      {screens.map(({ path, name, icon: Icon }) => (
        <Link key={path} to={path} className={classes['screen']} title={name} onClick={onGo}>
          <Icon size={18} />
          <span className={classes['screen-name']}>{name}</span>
        </Link>
      ))}
    </div>
  );
}
