import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  /** What makes something appear here, or what to do. */
  children?: ReactNode;
}

/** Said where a list has nothing to show. */
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
