import { fieldPath } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { appended } from '../change.ts';
import { mountedFiles } from '../files/mounted-files.ts';
import type { Correction } from '../correction.ts';
import { withOption } from './set-option.ts';

/**
 * A message that wants options which the container does not give. `$(POD)` in a value stands for the name of the pod, and `$(FILE:NAMES)` for the only
 * file of a mounted Secret or ConfigMap whose name matches.
 */
interface Needed {
  line: RegExp;
  /** The words of the options, with their values. */
  words: readonly string[];
  why: string;
  confidence: Confidence;
}

const NEEDED: readonly Needed[] = [
  {
    // NATS, "JetStream Clustering": each server has a name of its own.
    line: /jetstream cluster requires `server_name` to be set/,
    words: ['--server_name=$(POD)'],
    why: 'each server of a cluster has a name of its own',
    confidence: 'likely',
  },
  {
    // Thanos, "Receiver": the labels tell the blocks of the replicas apart.
    line: /no external labels configured for receive/,
    words: ['--label=receive_replica="$(POD)"'],
    why: 'a label tells the blocks of the replicas apart',
    confidence: 'likely',
  },
  {
    // Envoy, "Command line options".
    line: /node 'id' and 'cluster' are required/,
    words: ['--service-node', '$(POD)', '--service-cluster', '$(WORKLOAD)'],
    why: 'the server of the configuration wants to know who asks',
    confidence: 'guess',
  },
  {
    // Grafana Loki, "Use environment variables in the configuration"; the same in Tempo and Mimir.
    line: /\$\{[^\n]{1,200}Use `-config\.expand-env=true` flag if you want to expand environment variables/,
    words: ['-config.expand-env=true'],
    why: 'the program replaces `${NAME}` in its file only then',
    confidence: 'likely',
  },
  {
    // etcd, "Clustering Guide": a member calls itself `default` without it.
    line: /couldn't find local name \\?"default\\?" in the initial cluster configuration|"default" is not listed in the initial cluster/,
    words: ['--name=$(POD)'],
    why: 'each member finds itself in the list by its name',
    confidence: 'likely',
  },
  {
    // Redis, "TLS".
    line: /No tls-cert-file configured!/,
    words: [
      '--tls-cert-file',
      '$(FILE:^(?!.*key)(?:tls|server|redis|cert)[\\w.-]*\\.(?:crt|pem|cert)$)',
      '--tls-key-file',
      '$(FILE:\\.key$|key\\.pem$)',
    ],
    why: 'the port with TLS needs a certificate and its key',
    confidence: 'likely',
  },
  {
    // MongoDB, "Internal Authentication": the members of a replica set with users know each other by a key file.
    line: /keyFile is required when authorization is enabled with replica sets/,
    words: ['--keyFile', '$(FILE:key)'],
    why: 'the members know each other by this file',
    confidence: 'likely',
  },
];

/** The options that a line of the log asks for, where only one value or a name of the pod's own can be meant. */
export function neededOption(input: RuleInput): { name: string; correction: Correction } | undefined {
  const place = input.place();
  const texts = logSections(input.subject).map(({ text }) => text.slice(0, 100_000));
  const found = NEEDED.find(({ line }) => texts.some((text) => line.test(text)));
  const [first = ''] = found?.words ?? [];
  const name = first.split('=', 1)[0] ?? '';
  if (!place?.container || !found || givesOption(place, name)) return undefined;
  const { entry, variable } = podName(place);
  const files = mountedFiles(input, place);
  const values = found.words.map((word) =>
    word
      .replace('$(POD)', () => `$(${variable})`)
      .replace('$(WORKLOAD)', input.subject.workload?.name ?? place.container?.name ?? 'app')
      .replace(/^\$\(FILE:(.*)\)$/, (_, names: string) => onlyFile(files, names)),
  );
  if (values.includes('')) return undefined;
  const usesPod = found.words.some((word) => word.includes('$(POD)'));
  return {
    name,
    correction: {
      title: `Add ${values
        .filter((word) => word.startsWith('-'))
        .map((word) => code(word))
        .join(' and ')}`,
      changes: [...(usesPod ? entry : []), ...added(place, values, found.why)],
      confidence: found.confidence,
      explanation: 'The program ends with the wish for it.',
      mirrorable: true,
    },
  };
}

/** The only of the files whose name matches, or nothing. */
function onlyFile(files: readonly string[], names: string): string {
  const [only = '', ...more] = files.filter((file) => new RegExp(names, 'i').test(file.slice(file.lastIndexOf('/') + 1)));
  return more.length === 0 ? only : '';
}

const givesOption = ({ container }: ContainerPlace, name: string): boolean =>
  [...(container?.args ?? []), ...(container?.command ?? [])].some((word) => word === name || word.startsWith(`${name}=`));

/** The words behind those that the container gives its program. */
function added(place: ContainerPlace, words: string[], why: string): Change[] {
  const [first] = words.map((word) => withOption(place, word, undefined, why));
  const [, list, index] = /^(.*)\[(\d+)\]$/.exec(first?.path ?? '') ?? [];
  if (list === undefined) return first ? [{ ...first, to: words }] : [];
  return words.map((to, at) => ({ ...(first as Change), path: `${list}[${Number(index) + at}]`, to }));
}

/** The variable with the name of the pod, and the change that adds it if there is none. */
function podName(place: ContainerPlace): { variable: string; entry: Change[] } {
  const env = place.container?.env;
  const own = env?.find(({ valueFrom }) => valueFrom?.fieldRef?.fieldPath === 'metadata.name')?.name;
  if (own !== undefined) return { variable: own, entry: [] };
  const entry = { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
  return { variable: entry.name, entry: [appended(place, fieldPath(place.path, 'env'), env, entry, 'the option takes the name from it')] };
}
