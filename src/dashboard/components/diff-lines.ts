/** A line of a unified diff, ready to be shown. */
export interface DiffLine {
  kind: 'added' | 'removed' | 'same' | 'place';
  text: string;
  /** Line number in the new text, or in the old text for a removed line; null for a hunk header. */
  number: number | null;
}

const PLACE = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Parses a unified diff of one file, without its two headers. */
export function diffLines(diff: string): DiffLine[] {
  let old = 0;
  let fresh = 0;
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .flatMap((line): DiffLine[] => {
      const place = PLACE.exec(line);
      if (place) {
        [old, fresh] = [Number(place[1]), Number(place[2])];
        return [{ kind: 'place', text: line, number: null }];
      }
      // Before the first hunk there are only the headers.
      if (old === 0 && fresh === 0) return [];
      const text = line.slice(1);
      if (line.startsWith('+')) return [{ kind: 'added', text, number: fresh++ }];
      if (line.startsWith('-')) return [{ kind: 'removed', text, number: old++ }];
      old++;
      return [{ kind: 'same', text, number: fresh++ }];
    });
}
