import { oneLine } from '../../diagnosis/rendering/quote.ts';
import { type PlacedFinding, summaryOf } from './judge-manifests.ts';

/** Findings as a table, grouped by object, the most severe first. */
export function asTable(findings: readonly PlacedFinding[]): string {
  const counts = Object.entries(summaryOf(findings)).filter(([, count]) => count > 0);
  if (counts.length === 0) return 'Nothing found.\n';
  const groups = Map.groupBy(findings, ({ resource_type, namespace, resource_name }) =>
    oneLine(`${resource_type} ${namespace}/${resource_name}`),
  );
  const width = Math.max(...findings.map(({ check_name }) => check_name.length));
  const blocks = [...groups].map(([name, some]) => [`# ${name}`, ...some.map((finding) => row(finding, width))].join('\n'));
  return `${blocks.join('\n\n')}\n\n${counts.map(([severity, count]) => `${count} ${severity}`).join(', ')}\n`;
}

function row({ severity, check_name, message = '', file, line, remediation = '', details }: PlacedFinding, width: number): string {
  const cure = details.fix
    ? details.fix.map(({ path, to }) => `${path}: ${to === null ? 'remove it' : JSON.stringify(to)}`)
    : [remediation];
  return [
    `  ${severity.padEnd(8)}  ${check_name.padEnd(width)}  ${oneLine(message)} (${oneLine(file)}:${line})`,
    ...cure.map((text) => `${' '.repeat(12)}→ ${oneLine(text, 300)}`),
  ].join('\n');
}

/** JUnit XML with a test case for each object and failed check. */
export function asJunit(findings: readonly PlacedFinding[]): string {
  const cases = findings.map((finding) => {
    const { resource_type, namespace, resource_name, check_name, message = '', severity, file, line, remediation = '' } = finding;
    const name = xml(`${check_name}${finding.details.container === undefined ? '' : ` (${finding.details.container})`}`);
    return `    <testcase classname="${xml(`${resource_type}/${namespace}/${resource_name}`)}" name="${name}" file="${xml(file)}" line="${line}">
      <failure type="${severity}" message="${xml(message)}">${xml(remediation)}</failure>
    </testcase>`;
  });
  const counts = `tests="${findings.length}" failures="${findings.length}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
  <testsuite name="podmend scan" ${counts}>
${cases.map((text) => `${text}\n`).join('')}  </testsuite>
</testsuites>
`;
}

const ENTITIES: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' };

function xml(text: string): string {
  // XML cannot contain control characters, even escaped.
  const legal = text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '');
  return legal.replaceAll(/[<>&"']/g, (letter) => ENTITIES[letter] ?? '');
}
