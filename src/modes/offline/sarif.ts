import { hash } from 'node:crypto';
import packageJson from '../../../package.json' with { type: 'json' };
import type { CheckTexts } from '../../checks/check.ts';
import { checkById } from '../../checks/list.ts';
import type { Severity } from '../../contract/finding.ts';
import { keyOf, type PlacedFinding } from './judge-manifests.ts';

/** SARIF's levels, and the score from 0 to 10 by which code hosts rank findings. */
const LEVELS: Record<Severity, [level: 'error' | 'warning' | 'note', score: string]> = {
  critical: ['error', '9.5'],
  high: ['error', '8.0'],
  medium: ['warning', '5.5'],
  low: ['note', '3.0'],
  info: ['note', '0.5'],
};

/** Static Analysis Results Interchange Format 2.1.0 (OASIS), as code hosts read it. */
export function asSarif(findings: readonly PlacedFinding[]): string {
  const ids = [...new Set(findings.map(({ check_name }) => check_name))].sort();
  const rules = ids.map((id) => ruleOf(checkById(id) as CheckTexts));
  const run = {
    tool: { driver: { name: 'podmend', version: packageJson.version, semanticVersion: packageJson.version, rules } },
    columnKind: 'utf16CodeUnits',
    results: findings.map((finding) => resultOf(finding, ids.indexOf(finding.check_name))),
  };
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 2)}\n`;
}

function ruleOf({ id, title, severity, rationale, remediation, references, frameworks }: CheckTexts): object {
  const [level, score] = LEVELS[severity];
  const { pod_security, nsa = [], cis = [], mitre = [] } = frameworks;
  const tags = [
    'security',
    ...(pod_security ? [`pod-security/${pod_security}`] : []),
    ...nsa.map((name) => `nsa/${name}`),
    ...cis.map((number) => `cis/${number}`),
    ...mitre.map((technique) => `mitre/${technique}`),
  ];
  return {
    id,
    name: id.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    shortDescription: { text: title },
    fullDescription: { text: rationale },
    help: { text: `${remediation}\n\n${references.join('\n')}` },
    helpUri: references[0],
    defaultConfiguration: { level },
    properties: { tags, 'security-severity': score, precision: 'high' },
  };
}

function resultOf(finding: PlacedFinding, ruleIndex: number): object {
  const { check_name, severity, message = '', file, line, resource_type, namespace, resource_name } = finding;
  return {
    ruleId: check_name,
    ruleIndex,
    level: LEVELS[severity][0],
    message: { text: `${resource_type} ${namespace}/${resource_name}: ${message}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } },
        logicalLocations: [{ fullyQualifiedName: finding.details.field_paths[0], kind: 'resource' }],
      },
    ],
    // Identifies the finding in later scans, even if its line has moved.
    partialFingerprints: { 'podmendFinding/v1': hash('sha256', `${file}\n${keyOf(finding)}`) },
  };
}

/** A relative reference, because code hosts look for it in the repository. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').replace(/^\.\//, '');
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${encoded}` : encoded;
}
