import { Text } from '@mantine/core';
import type { Evidence, Revision } from '../../contract/failure.ts';
import { seenIn } from './progress.ts';

const SAID: Record<string, string> = { Fixed: 'Fixed', StillFailing: 'Still failing', Inconclusive: 'Inconclusive' };

/** What a verdict rests on, how it was revised, and what it cannot know. */
export function EvidenceShown({ evidence, revisions }: { evidence: Evidence | null; revisions: readonly Revision[] }) {
  return (
    <>
      {revisions.map(({ time, from, verdict, message }) => (
        <Text size="sm" key={time + verdict}>
          Revised from {SAID[from] ?? from} to {SAID[verdict] ?? verdict}: {message}
        </Text>
      ))}
      {evidence && (
        <details className="evidence">
          <summary>{evidence.strength === 'Weak' ? 'Weak evidence' : 'Evidence'}</summary>
          <ul>
            {seenIn(evidence).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {evidence.weaknesses.length > 0 && (
            <>
              <Text size="sm">What this verdict cannot know:</Text>
              <ul>
                {evidence.weaknesses.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            </>
          )}
        </details>
      )}
    </>
  );
}
