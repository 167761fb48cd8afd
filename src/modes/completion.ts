import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeObject } from '../crd/kubernetes.ts';
import { loadManifest } from '../crd/manifest.ts';
import type { KubeClient } from '../kube/client.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';
import { MODES } from './index.ts';
import { type Command, InputError, type Io } from './mode.ts';
import { KIND_WORDS, matching, type Offer, offerFor } from './offline/completions.ts';
import { connected } from './offline/connected.ts';
import { orBadInput, write } from './offline/output.ts';
import { SHELL_SCRIPTS } from './offline/shell-scripts.ts';

/** Nobody waits longer for a Tab. */
const PATIENCE_MS = 2_500;
/** More names than these are no choice. */
const MOST_NAMES = 500;
/** The directives that kubectl knows. */
const [WITH_FILES, NO_FILES, NO_SPACE] = [0, 4, 6];

const LISTED: Record<string, Kind> = {
  Pod: KINDS.pod,
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};

/**
 * `podmend completion bash|zsh|fish` prints a script. `podmend completion words -- WORD…` prints the completions of the last word, one per
 * line, and a directive; without a cluster there are no names. Returns 2 for an unknown shell.
 */
export const runCompletion: Command = (argv, io) =>
  orBadInput('completion', io, async () => {
    const [shell = '', separator, ...words] = argv;
    if (shell === 'words' && separator === '--') {
      await write(io, await answer(words, io));
      return 0;
    }
    const script = Object.hasOwn(SHELL_SCRIPTS, shell) && separator === undefined ? SHELL_SCRIPTS[shell] : undefined;
    if (script === undefined) throw new InputError(`name a shell: ${Object.keys(SHELL_SCRIPTS).join(', ')}`);
    await write(io, script);
    return 0;
  });

async function answer(words: string[], io: Io): Promise<string> {
  const offer = offerFor(words, MODES);
  if ('files' in offer) return `:${WITH_FILES}\n`;
  const typed = words.at(-1) ?? '';
  const found = matching(typed, await wordsOf(offer, words, io).catch(() => []));
  const isOpen = found.length > 0 && found.every((word) => word.endsWith('/'));
  return [...found, `:${isOpen ? NO_SPACE : NO_FILES}`, ''].join('\n');
}

async function wordsOf(offer: Exclude<Offer, { files: true }>, words: string[], io: Io): Promise<string[]> {
  if ('words' in offer) return offer.words;
  const valueOf = (...options: string[]) => words.slice(0, -1).findLast((_, index) => options.includes(words[index - 1] ?? ''));
  const kubeconfig = valueOf('--kubeconfig');
  if ('contexts' in offer) return contextsIn(kubeconfig ?? io.env['KUBECONFIG'] ?? join(homedir(), '.kube', 'config'));
  const client = connected({ kubeconfig, context: valueOf('--context') });
  try {
    if ('namespaces' in offer) return await namesOf(client, KINDS.namespace);
    const { kind, prefix } = offer.names;
    const namespace = valueOf('-n', '--namespace') ?? client.namespace ?? 'default';
    // People seldom ask about a ReplicaSet by name.
    const kinds = kind === undefined ? Object.keys(LISTED).filter((one) => one !== 'ReplicaSet') : [kind];
    const lists = await Promise.all(kinds.map((one) => namesOf(client, LISTED[one] as Kind, namespace).catch(() => [])));
    const ofKinds = kind === undefined ? Object.values(KIND_WORDS).map(([word]) => `${word}/`) : [];
    return [...lists.flat().map((name) => prefix + name), ...ofKinds];
  } finally {
    client.close();
  }
}

async function namesOf(client: KubeClient, kind: Kind, namespace?: string): Promise<string[]> {
  const page = await client.page<KubeObject>(kind, { namespace }, { limit: MOST_NAMES }, AbortSignal.timeout(PATIENCE_MS));
  return page.items.flatMap(({ metadata }) => metadata.name ?? []);
}

/** The contexts in kubeconfig files. Unreadable files are skipped. */
function contextsIn(paths: string): string[] {
  return paths
    .split(delimiter)
    .filter(Boolean)
    .flatMap((path) => {
      try {
        const { contexts } = loadManifest(readFileSync(path, 'utf8')) as { contexts?: { name?: unknown }[] };
        return (contexts ?? []).flatMap(({ name }) => (typeof name === 'string' ? name : []));
      } catch {
        return [];
      }
    });
}
