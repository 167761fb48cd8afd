import { Button } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import classes from './filters.module.css';
import { Down } from './icons.tsx';

interface FiltersProps {
  /** Whether one of them restricts the list. Then they are always shown. */
  isUsed: boolean;
  /** A control that is always shown, between the button and the filters. */
  beside: ReactNode;
  children: ReactNode;
}

/** Takes all filters away. It stands there while one of them restricts the list. */
export function ClearFilters({ onClick }: { onClick(): void }) {
  return (
    <Button variant="subtle" size="compact-sm" onClick={onClick}>
      Clear filters
    </Button>
  );
}

/** The filters of a toolbar. On a telephone they are behind a button, because they would push the list down by half a screen. */
export function Filters({ isUsed, beside, children }: FiltersProps) {
  const [isWanted, want] = useState(false);
  const isOpen = isWanted || isUsed;
  const id = useId();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        className={classes['button']}
        rightSection={<Down size={13} />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => want(!isWanted)}
      >
        Filter
      </Button>
      {beside}
      <div className={classes['filters']} id={id} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}
