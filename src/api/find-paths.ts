import { parentPort } from 'node:worker_threads';
import { answerPaths } from '../access/answers.ts';
import { escalations, isAbout, isWanted } from '../access/paths/paths.ts';
import type { EscalationPaths } from '../contract/access.ts';
import type { PathsQuestion } from './escalation-paths.ts';

// Runs in a thread that escalation-paths.ts starts. Each message is a question, and the answer contains its paths.

/** Four times what a cluster with 1,000 roles, 2,000 bindings and 10,000 subjects takes. It bounds time (two seconds) and memory. */
const EFFORT = 2_000_000;

parentPort?.on('message', (question: PathsQuestion) => parentPort?.postMessage(pathsFor(question)));

function pathsFor({ world, wanted, limit }: PathsQuestion): EscalationPaths {
  const { paths, ...found } = escalations(world, { effort: EFFORT, about: (subject) => isAbout(wanted, subject) });
  return answerPaths(
    paths.filter((path) => isWanted(wanted, path)),
    found,
    limit,
  );
}
