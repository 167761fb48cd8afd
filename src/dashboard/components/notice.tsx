import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface NoticeProps {
  /** `bad`: an error; `unsure`: a warning; `plain`: information. */
  tone: 'bad' | 'unsure' | 'plain';
  title?: string;
  /** `alert` is read out at once, `status` at the next pause. */
  role?: 'alert' | 'status';
  children: ReactNode;
}

/** A short message that stands out. */
export function Notice({ tone, title, role, children }: NoticeProps) {
  return (
    <div className="notice" data-tone={tone} role={role}>
      {title && (
        <Text fw={600} size="sm" mb={4}>
          {title}
        </Text>
      )}
      {children}
    </div>
  );
}
