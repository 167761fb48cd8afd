import { parentPort } from 'node:worker_threads';
import { answerPaths } from '../access/answers.ts';
import { escalations } from '../access/paths/paths.ts';
import type { EscalationPaths } from '../contract/access.ts';
import type { PathsQuestion } from './escalation-paths.ts';

// A thread of its own, started by escalation-paths.ts: each message is a question, each answer its paths.

parentPort?.on('message', (question: PathsQuestion) => parentPort?.postMessage(pathsFor(question)));

function pathsFor({ world, wanted: { kind, name, namespace, to }, limit }: PathsQuestion): EscalationPaths {
  const { paths, cut } = escalations(world);
  const wanted = paths.filter(
    ({ subject, target }) =>
      (kind ?? subject.kind) === subject.kind &&
      (name ?? subject.name) === subject.name &&
      (namespace === undefined || namespace === subject.namespace) &&
      (to ?? target.kind) === target.kind,
  );
  return answerPaths(wanted, cut, limit);
}
