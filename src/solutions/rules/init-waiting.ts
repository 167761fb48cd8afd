import { code } from '../quote.ts';
import { logs } from './commands.ts';
import { factOf, type Rule, type Scene, who } from './rule.ts';

/** An init container that neither ends nor fails: it waits for something. */
export const initWaiting: Rule = {
  id: 'init-waiting',
  reasons: ['PodInitializing', 'ContainerCreating'],
  answer(scene) {
    const { subject } = scene;
    const running = subject.statuses.find(
      ({ kind, state, name }) => kind === 'init' && state === 'running' && (subject.container ?? name) === name,
    );
    if (!running) return undefined;
    const log = factOf(scene, 'log');
    const last = factOf(scene, 'last-line');
    const meaning = log?.signature.explain(log.groups, scene, log.line);
    const lastWords = last ? `; the last it said is ${code(last.line)}` : '';
    const said = meaning ? `: ${meaning.because}` : lastWords;
    const command = commandOf(scene, running.name);
    return {
      summary: `${who(scene, running.name)} runs and does not end, so the containers behind it never start${said}.`,
      culprit: [`init container ${running.name}`, meaning?.culprit ?? waitedFor(last?.line)].filter(Boolean).join(': '),
      evidence: [
        ...[log ?? last].flatMap((fact) => fact?.evidence ?? []),
        ...(command ? [{ from: `manifest, init container ${running.name}`, text: command }] : []),
      ],
      advice: [
        ...(meaning?.advice ?? ['See what it waits for, and whether that can ever come.']),
        'Loops around `nslookup` in BusyBox may never end: it fails while any search domain has no such name.',
      ],
      commands: [...logs(subject), ...(meaning?.commands ?? [])],
      corrections: meaning?.corrections ?? [],
      noCure: {
        why: 'What it waits for lies outside of the pod.',
        whereToLook: meaning?.whereToLook ?? `the log of ${code(running.name)} and what its command waits for`,
      },
    };
  },
};

/** `Waiting for the service db:5432 …`: what comes then. How long it waits is nobody's name. */
function waitedFor(line = ''): string | undefined {
  const words =
    /\bwait(?:ing|s)? (?:for|on|until) (?:(?:the|a|service|host|database|server|job) ){0,2}["'`]?(?!(?:the|a|an|to|it|its|be|is|in|at|up|and|all|any|few|some|more|next|other|another|ready)\b(?![.:/-]))([A-Za-z][\w.:/-]{0,199})/i;
  return words.exec(line)?.[1]?.replace(/[.:/]{1,8}$/, '');
}

function commandOf(scene: Scene, name: string): string {
  const { command, args } = scene.place(name)?.container ?? {};
  return [...(command ?? []), ...(args ?? [])].join(' ');
}
