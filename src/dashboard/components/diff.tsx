import { Text } from '@mantine/core';
import { diffLines } from './diff-lines.ts';
import { withSigns } from './unseen-characters.ts';

const MARKS = { added: '+', removed: '−', same: ' ', place: '' };

/** A change of a manifest. Signs repeat the meaning of the colours. */
export function Diff({ diff }: { diff: string }) {
  const lines = diffLines(diff);
  if (lines.length === 0)
    return (
      <Text c="dimmed" size="sm">
        Nothing in the manifest changes.
      </Text>
    );
  return (
    <div className="diff" tabIndex={0} role="region" aria-label="Change of the manifest">
      <table>
        <tbody>
          {lines.map(({ kind, text, number }, index) => (
            <tr key={`${String(index)}-${kind}`} data-kind={kind}>
              <td className="diff-number">{number}</td>
              <td className="diff-mark">{MARKS[kind]}</td>
              <td className="diff-text">{withSigns(text)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
