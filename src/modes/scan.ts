import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { rolesWithFiles } from '../access/built-in.ts';
import type { RbacBinding } from '../access/objects.ts';
import { usageCounter } from '../access/usage.ts';
import type { CheckTexts } from '../checks/check.ts';
import { CHECKS } from '../checks/list.ts';
import { POLICIES_SINCE } from '../checks/policies/policies.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { SEVERITIES, type Severity } from '../contract/finding.ts';
import { csvHead, csvRows, FILE_TABLE } from '../contract/finding-table.ts';
import { openReports } from '../findings/open-reports.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { coloured, isColourful } from './offline/colour.ts';
import { orBadInput, write } from './offline/output.ts';
import { asPolicies } from './offline/policies-text.ts';
import { readAuditLog } from './offline/read-audit-log.ts';
import { readManifests } from './offline/read-manifests.ts';
import { asSarif } from './offline/sarif.ts';
import { asJson, keyOf, type PlacedFinding, type ScanOptions, scanManifests } from './offline/judge-manifests.ts';
import { asJunit, asTable } from './offline/scan-text.ts';
import { type Command, InputError, type Io } from './mode.ts';

const FORMATS = {
  table: asTable,
  json: asJson,
  sarif: asSarif,
  junit: asJunit,
  csv: (findings) => csvHead(FILE_TABLE) + csvRows(FILE_TABLE, findings),
  openreports: openReports,
} satisfies Record<string, (findings: readonly PlacedFinding[]) => string>;

/**
 * `podmend scan -f FILE|DIR|-`: runs the scanner's checks on manifests, without a cluster. Returns 0 when nothing at or above the threshold
 * is found, 1 when something is, 2 when something could not be read (one line each on stderr; the rest is checked).
 */
export const runScan: Command = (argv, io) =>
  orBadInput('scan', io, async () => {
    const { files, print, failOn, options, asVap, auditLog } = await readArguments(argv);
    if (asVap) {
      await write(io, asPolicies(chosenChecks(options), options));
      return 0;
    }
    const { objects, problems } = await readManifests(files, io.stdin);
    for (const problem of problems) io.stderr.write(`podmend scan: ${oneLine(problem, 500)}\n`);
    if (objects.length === 0 && problems.length === 0)
      throw new InputError(`${files.map((name) => (name === '-' ? 'standard input' : name)).join(', ')}: no Kubernetes object in it`);
    const usage =
      auditLog === undefined
        ? undefined
        : await usageIn(
            auditLog,
            objects.map(({ object }) => object),
            io,
          );
    problems.push(...(usage?.problems ?? []));
    const findings = scanManifests(objects, { ...options, usage: usage?.usage });
    const text = print(findings);
    await write(io, print === asTable && isColourful(io) ? coloured(text) : text);
    if (problems.length > 0) return 2;
    return failOn !== undefined && findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= failOn) ? 1 : 0;
  });

interface Arguments {
  files: string[];
  print: (findings: readonly PlacedFinding[]) => string;
  /** The index of the lowest severity that fails the scan; undefined if none does. */
  failOn: number | undefined;
  options: ScanOptions;
  /** Whether to print policies instead of scanning. */
  asVap: boolean;
  auditLog: string | undefined;
}

async function readArguments(argv: string[]): Promise<Arguments> {
  const { values, positionals } = parse(argv);
  if (positionals[0] !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(positionals[0])}: name inputs with -f`);
  const { output = 'table', filename = [] } = values;
  if (!Object.hasOwn(FORMATS, output))
    throw new InputError(`unknown output ${JSON.stringify(output)}: -o is ${Object.keys(FORMATS).join(', ')}`);
  const asVap = values['as-vap'] ?? false;
  if (asVap && filename.length > 0) throw new InputError('--as-vap prints policies and scans nothing: leave -f out');
  if (!asVap && filename.length === 0) throw new InputError('name an input: -f FILE, -f DIR or -f - for standard input');
  const failOn = values['fail-on'] ?? 'high';
  return {
    asVap,
    auditLog: values['audit-log'],
    files: filename,
    print: FORMATS[output as keyof typeof FORMATS],
    failOn: failOn === 'none' ? undefined : SEVERITIES.indexOf(severityOf('--fail-on', failOn)),
    options: {
      minor: minorOf(values['kubernetes-version'], asVap ? POLICIES_SINCE : 0),
      trustedRegistries: values['trusted-registry'] ?? [],
      checks: checksOf(values.check),
      minSeverity: severityOf('--min-severity', values['min-severity'] ?? 'low'),
      known: await knownIn(values.baseline),
      operatorNamespace: values['operator-namespace'] ?? 'podmend',
      now: new Date(),
    },
  };
}

function parse(argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        filename: { type: 'string', short: 'f', multiple: true },
        output: { type: 'string', short: 'o' },
        'fail-on': { type: 'string' },
        'min-severity': { type: 'string' },
        'kubernetes-version': { type: 'string' },
        'trusted-registry': { type: 'string', multiple: true },
        'operator-namespace': { type: 'string' },
        check: { type: 'string', multiple: true },
        'audit-log': { type: 'string' },
        'as-vap': { type: 'boolean' },
        baseline: { type: 'string' },
      },
    });
  } catch (error) {
    throw new InputError((error as Error).message);
  }
}

function severityOf(option: string, text: string): Severity {
  const severity = SEVERITIES.find((one) => one === text);
  const none = option === '--fail-on' ? ' or none' : '';
  if (!severity) throw new InputError(`${option} is ${SEVERITIES.join(', ')}${none}, not ${JSON.stringify(text)}`);
  return severity;
}

/** The use of the rights that the objects' bindings grant, according to the audit log. */
async function usageIn(file: string, objects: KubeObject[], io: Io) {
  const counter = usageCounter(rolesWithFiles(objects));
  const { events, span, problems } = await readAuditLog(file, counter.count);
  io.stderr.write(`podmend scan: ${events} events of the audit log, from ${span}\n`);
  for (const problem of problems) io.stderr.write(`podmend scan: ${oneLine(problem, 500)}\n`);
  return { problems, usage: { span, of: (binding: KubeObject) => counter.of(binding as RbacBinding) } };
}

/** The ids given with `--check`; undefined for all checks. */
function checksOf(named: string[] | undefined): ReadonlySet<string> | undefined {
  const ids = new Set(CHECKS.map(({ id }) => id));
  const unknown = named?.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw new InputError(`there is no check ${JSON.stringify(unknown)}: podmend scan -o json names them (check_name)`);
  return named && new Set(named);
}

function chosenChecks({ checks, minSeverity }: ScanOptions): CheckTexts[] {
  const least = SEVERITIES.indexOf(minSeverity);
  return CHECKS.filter(({ id, severity }) => (checks ? checks.has(id) : SEVERITIES.indexOf(severity) <= least));
}

/** Parses `v1.34`, `1.34.2` or `latest`; without a version, the newest. */
function minorOf(version = 'latest', least: number): number {
  if (version === 'latest') return Infinity;
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?(?:[-+][\w.+-]*)?$/.exec(version)?.[1];
  if (minor === undefined) throw new InputError(`--kubernetes-version is like v1.34 or latest, not ${JSON.stringify(version)}`);
  if (Number(minor) < least) throw new InputError(`Kubernetes serves these policies from v1.${least} on, not in ${version}`);
  return Number(minor);
}

/** The findings of an earlier scan in JSON. */
async function knownIn(file: string | undefined): Promise<ReadonlySet<string>> {
  if (file === undefined) return new Set();
  try {
    const { findings } = JSON.parse(await readFile(file, 'utf8')) as { findings: PlacedFinding[] };
    return new Set(findings.map(keyOf));
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'it is not the output of podmend scan -o json';
    throw new InputError(`--baseline ${file}: cannot be read (${why})`);
  }
}
