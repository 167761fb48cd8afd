import { Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './page-head.module.css';

interface PageHeadProps {
  title: string;
  /** Shown beside the title: counts, a status. */
  beside?: ReactNode;
  /** Stands at the other end of the line. */
  children?: ReactNode;
}

/** The heading of a screen, which is the window's title too. */
export function PageHead({ title, beside, children }: PageHeadProps) {
  useTitle(title);
  return (
    <header className={classes['head']}>
      <Title order={1} className={classes['title']}>
        {title}
      </Title>
      {beside}
      {children && <div className={classes['end']}>{children}</div>}
    </header>
  );
}

/** Names the window after what it shows, for screens with a heading of their own. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Podmend`;
  }, [title]);
}
