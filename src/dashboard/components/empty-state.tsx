import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  /** Explains when something will appear here, or how to make it appear. */
  children?: ReactNode;
}

/** The note that an empty list shows. */
export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className={classes['empty']}>
      <Text fw={600}>{title}</Text>
      {children && (
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      )}
    </div>
  );
}
