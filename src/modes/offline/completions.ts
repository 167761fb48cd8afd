import { nearestName } from '../../diagnosis/corrections/similar-names.ts';
import type { Mode } from '../mode.ts';

/** The completions of a command line's last word: known words, or names to look up. */
export type Offer =
  | { words: string[] }
  | { files: true }
  | { contexts: true }
  | { namespaces: true }
  /** Pods and workloads, or only workloads of a kind. `prefix` is put before each name. */
  | { names: { kind?: string; prefix: string } };

/** The words for kinds that `why` accepts, as in kubectl. The first word of each kind is offered. */
export const KIND_WORDS: Record<string, readonly string[]> = {
  Pod: ['pod', 'pods', 'po'],
  Deployment: ['deployment', 'deployments', 'deploy'],
  ReplicaSet: ['replicaset', 'replicasets', 'rs'],
  StatefulSet: ['statefulset', 'statefulsets', 'sts'],
  DaemonSet: ['daemonset', 'daemonsets', 'ds'],
  Job: ['job', 'jobs'],
};

/** The kind of a word, in any case. */
export function kindOfWord(word: string): string | undefined {
  return Object.keys(KIND_WORDS).find((kind) => KIND_WORDS[kind]?.includes(word.toLowerCase()));
}

const FILES = new Set(['-f', '--kubeconfig', '--baseline']);

/** Completions for the last of `words`, which follow `podmend`. Options and their values are read from the modes' help. Pure. */
export function offerFor(words: readonly string[], modes: Record<string, Mode>): Offer {
  const [first = '', ...rest] = words;
  if (rest.length === 0) return { words: [...Object.keys(modes), ...(first.startsWith('-') ? ['--help', '--version'] : [])] };
  const help = Object.hasOwn(modes, first) ? modes[first]?.help : undefined;
  if (help === undefined) return { words: [] };
  const [before = '', last = ''] = [rest.at(-2), rest.at(-1)];
  if (FILES.has(before)) return { files: true };
  if (before === '--context') return { contexts: true };
  if (before === '-n' || before === '--namespace' || before === '--operator-namespace') return { namespaces: true };
  const values = before.startsWith('-') ? valuesOf(help, before) : [];
  if (values.length > 0) return { words: values };
  if (last.startsWith('-')) return { words: optionsOf(help) };
  return first === 'why' ? ofWhy(before, last) : { words: rest.length === 1 ? firstWordsOf(help, first) : [] };
}

/** The forms that `why` accepts: `NAME`, `KIND/NAME` and `KIND NAME`. */
function ofWhy(before: string, last: string): Offer {
  const [word = '', name] = last.split(/\/(.*)/s);
  const kind = name === undefined ? undefined : kindOfWord(word);
  if (kind !== undefined) return { names: { kind, prefix: `${word}/` } };
  const apart = kindOfWord(before);
  return { names: { ...(apart === undefined ? {} : { kind: apart }), prefix: '' } };
}

function optionsOf(help: string): string[] {
  return [...new Set([...(help.match(/(?<=[\s[|,(])--?[a-z][a-z-]*/g) ?? []), '--help'])];
}

/** The values of an option, as `-o text|json` in the usage or a line of the help names them. */
function valuesOf(help: string, option: string): string[] {
  const short = new RegExp(`(-[a-z]), ${option}\\b`).exec(help)?.[1] ?? option;
  return new RegExp(`\\[${short} ([a-z]+(?:\\|[a-z]+)+)\\]`).exec(help)?.[1]?.split('|') ?? [];
}

/** The first words in the usage lines, such as `podmend user add …`. */
function firstWordsOf(help: string, mode: string): string[] {
  const usages = [...help.matchAll(new RegExp(`podmend ${mode} ([a-z|-]+)`, 'g'))];
  return [...new Set(usages.flatMap(([, words = '']) => words.split('|').filter((word) => !word.startsWith('-'))))];
}

/** The words that begin with the typed text; if none does, similar names. */
export function matching(typed: string, known: readonly string[]): string[] {
  const begun = [...new Set(known)].filter((name) => name.startsWith(typed));
  return begun.length > 0 ? begun : nearestName(typed, known).slice(0, 5);
}
