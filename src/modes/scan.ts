import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SEVERITIES, type Severity } from '../contract/finding.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { coloured, isColourful } from './offline/colour.ts';
import { orBadInput, write } from './offline/output.ts';
import { readManifests } from './offline/read-manifests.ts';
import { asSarif } from './offline/sarif.ts';
import { asJson, keyOf, type PlacedFinding, type ScanOptions, scanManifests } from './offline/scan-findings.ts';
import { asJunit, asTable } from './offline/scan-text.ts';
import { type Command, InputError } from './mode.ts';

const FORMATS = { table: asTable, json: asJson, sarif: asSarif, junit: asJunit } satisfies Record<
  string,
  (findings: readonly PlacedFinding[]) => string
>;

/**
 * `podmend scan -f FILE|DIR|-`: judges manifests by the checks of the scanner, without a cluster. Returns 0 when nothing at or above the
 * threshold is found, 1 when something is, 2 when something could not be read (one line each on stderr; the rest is judged).
 */
export const runScan: Command = (argv, io) =>
  orBadInput('scan', io, async () => {
    const { files, print, failOn, options } = await readArguments(argv);
    const { objects, problems } = await readManifests(files, io.stdin);
    for (const problem of problems) io.stderr.write(`podmend scan: ${oneLine(problem, 500)}\n`);
    if (objects.length === 0 && problems.length === 0)
      throw new InputError(`${files.map((name) => (name === '-' ? 'standard input' : name)).join(', ')}: no Kubernetes object in it`);
    const findings = scanManifests(objects, options);
    const text = print(findings);
    await write(io, print === asTable && isColourful(io) ? coloured(text) : text);
    if (problems.length > 0) return 2;
    return failOn !== undefined && findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= failOn) ? 1 : 0;
  });

interface Arguments {
  files: string[];
  print: (findings: readonly PlacedFinding[]) => string;
  /** Its place among the severities; undefined = none fails. */
  failOn: number | undefined;
  options: ScanOptions;
}

async function readArguments(argv: string[]): Promise<Arguments> {
  const { values, positionals } = parse(argv);
  if (positionals[0] !== undefined) throw new InputError(`unexpected argument ${JSON.stringify(positionals[0])}: name inputs with -f`);
  const { output = 'table', filename = [] } = values;
  if (!Object.hasOwn(FORMATS, output))
    throw new InputError(`unknown output ${JSON.stringify(output)}: -o is ${Object.keys(FORMATS).join(', ')}`);
  if (filename.length === 0) throw new InputError('name an input: -f FILE, -f DIR or -f - for standard input');
  const failOn = values['fail-on'] ?? 'high';
  return {
    files: filename,
    print: FORMATS[output as keyof typeof FORMATS],
    failOn: failOn === 'none' ? undefined : SEVERITIES.indexOf(severityOf('--fail-on', failOn)),
    options: {
      minor: minorOf(values['kubernetes-version']),
      trustedRegistries: values['trusted-registry'] ?? [],
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

/** `v1.34`, `1.34.2`, `latest`; without a version, the newest. */
function minorOf(version = 'latest'): number {
  if (version === 'latest') return Infinity;
  const minor = /^v?1\.(\d{1,3})(?:\.\d+)?(?:[-+][\w.+-]*)?$/.exec(version)?.[1];
  if (minor === undefined) throw new InputError(`--kubernetes-version is like v1.34 or latest, not ${JSON.stringify(version)}`);
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
