import classes from './frame.module.css';
import { Home, type LinkTo, Rail, type ScreenEntry } from './rail.tsx';

const Plain: LinkTo = ({ to, children, ...rest }) => (
  <a href={to} {...rest}>
    {children}
  </a>
);

/** The frame before any script has run. Its links work, and everything is where `Frame` puts it. */
export function Shell({ screens }: { screens: readonly ScreenEntry[] }) {
  return (
    <div className={classes['frame']}>
      <nav aria-label="Screens" className={classes['rail']}>
        <Home link={Plain} />
        <Rail screens={screens} link={Plain} />
      </nav>
      <header className={classes['top']} />
      <main className={classes['main']} aria-busy="true">
        <p className={classes['loading']}>Loading …</p>
      </main>
    </div>
  );
}
