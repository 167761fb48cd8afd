import { parentPort } from 'node:worker_threads';
import { answerPaths } from '../access/answers.ts';
import { escalations, isWanted } from '../access/paths/paths.ts';
import type { EscalationPaths } from '../contract/access.ts';
import type { PathsQuestion } from './escalation-paths.ts';

// A thread of its own, started by escalation-paths.ts: each message is a question, each answer its paths.

parentPort?.on('message', (question: PathsQuestion) => parentPort?.postMessage(pathsFor(question)));

function pathsFor({ world, wanted, limit }: PathsQuestion): EscalationPaths {
  const { paths, cut } = escalations(world);
  return answerPaths(
    paths.filter((path) => isWanted(wanted, path)),
    cut,
    limit,
  );
}
