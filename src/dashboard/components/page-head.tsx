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

/** The heading of a screen, which is also the window's title. */
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

/** Sets the window's title, for screens with their own heading. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Podmend`;
  }, [title]);
}
