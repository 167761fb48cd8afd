import { useState } from 'react';
import { LogView } from './log-view.tsx';

/** The kept log of an ended mirror. Nothing is shown if none was kept. */
export function KeptLog({ namespace, pod }: { namespace: string; pod: string | null }) {
  const [isOpen, open] = useState(false);
  if (pod === null) return null;
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>What the mirror wrote to its log</summary>
      {isOpen && <LogView namespace={namespace} pod={pod} height="short" isKept />}
    </details>
  );
}
