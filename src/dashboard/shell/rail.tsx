import { Link } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { Mark } from '../components/icons.tsx';
import classes from './frame.module.css';

/** A screen in the rail and in the palette. */
export interface ScreenEntry {
  path: string;
  name: string;
  icon: ComponentType<{ size?: number }>;
  /** Named places on the screen that the palette offers. */
  places?: readonly { name: string; search: Readonly<Record<string, string>> }[];
}

/** A link component: the router's, or a plain one for a page without the router. */
export type LinkTo = ComponentType<{
  to: string;
  className: string | undefined;
  title?: string;
  'aria-label'?: string;
  onClick?: (() => void) | undefined;
  children: ReactNode;
}>;

interface RailProps {
  screens: readonly ScreenEntry[];
  /** Called when somebody goes to a screen. */
  onGo?(): void;
  link?: LinkTo;
}

/** The product's name, as a link to the overview. */
export function Home({ link: To = Link }: { link?: LinkTo }) {
  return (
    <To to="/" className={classes['home']} aria-label="Podmend, to the overview">
      <Mark />
      <span className={classes['home-name']}>Podmend</span>
    </To>
  );
}

/** Links to the screens. */
export function Rail({ screens, onGo, link: To = Link }: RailProps) {
  return (
    <div className={classes['screens']}>
      {screens.map(({ path, name, icon: Icon }) => (
        <To key={path} to={path} className={classes['screen']} title={name} onClick={onGo}>
          <Icon size={18} />
          <span className={classes['screen-name']}>{name}</span>
        </To>
      ))}
    </div>
  );
}
