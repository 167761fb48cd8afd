import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { readLogs } from '../../../src/diagnosis/facts/log.ts';
import type { Signature } from '../../../src/diagnosis/rules/signatures/signature.ts';
import type { Meaning } from '../../../src/diagnosis/corrections/meaning.ts';
import { factsOfCase } from '../../../src/diagnosis/facts/facts.ts';
import { ruleInput } from '../../../src/diagnosis/facts/input.ts';
import { aCase, aPodManifest, type CaseParts, crashed, inShort } from './cases.ts';
import type { Short } from './corrections.ts';

/** What the container is, beside its log, and what is expected beside cause and culprit. */
interface More {
  /** Pieces of the texts. */
  advice?: string;
  where?: string;
  elsewhere?: string;
  why?: string;
  commands?: string[];
  inCode?: boolean;
  /** Of the first correction. */
  mirrorable?: boolean;
  corrections?: Short;
  container?: object;
  spec?: object;
  parts?: CaseParts;
  owner?: object;
}
/** A log, the culprit that it names, and a piece of the cause. */
export type LogRow = [log: string, culprit: string | null, because: string, more?: More];

/** The signature that explains this log of a container, and its meaning. */
export function readingOf(logs: string, { container = {}, spec = {}, parts = {}, owner }: More = {}): { id?: string; meaning?: Meaning } {
  const bare = aCase({ status: crashed(), manifest: aPodManifest(container, spec), logs, ...parts });
  const subject = owner ? { ...bare, owner: owner as KubeObject } : bare;
  const input = ruleInput(subject, factsOfCase(subject));
  const [fact] = readLogs(subject);
  return fact?.kind === 'log' ? { id: fact.signature.id, meaning: fact.signature.explain(fact.groups, input, fact.line) } : {};
}

/** Defines a test for each log below the signature that explains it, which is one of these. */
export function logRows(test: ReturnType<typeof suite>, signatures: readonly Signature[], table: Record<string, LogRow[]>): void {
  for (const [id, rows] of Object.entries(table)) {
    test(`${id}: its hints are found in its logs`, () => {
      const { hints } = signatures.find((one) => one.id === id)!;
      const logs = rows.map(([log]) => log.toLowerCase());
      assert.equal(
        logs.filter((log) => !hints.some((hint) => log.includes(hint))),
        [],
      );
    });
    for (const row of rows) logTest(test, id, row);
  }
}

function logTest(test: ReturnType<typeof suite>, id: string, [log, culprit, because, more = {}]: LogRow): void {
  test(`${id}: ${log.slice(0, 80).replaceAll('\n', ' ')}`, () => {
    const { id: read, meaning } = readingOf(log, more);
    assert.is(read, id);
    assert.is(meaning?.culprit, culprit);
    told(meaning!, because, more);
  });
}

function told({ because: cause, advice, whereToLook, elsewhere, ...meaning }: Meaning, because: string, more: More): void {
  const [first] = meaning.corrections ?? [];
  const texts: [text: string | undefined, piece: string | undefined][] = [
    [cause, because],
    [advice[0], more.advice],
    [whereToLook, more.where],
    [elsewhere, more.elsewhere],
    [first?.changes[0]?.why, more.why],
  ];
  for (const [text, piece] of texts) has(text ?? '', piece ?? '');
  const { inCode = false, commands } = meaning;
  if (more.inCode !== undefined) assert.is(inCode, more.inCode);
  if (more.mirrorable !== undefined) assert.is(first?.mirrorable, more.mirrorable);
  if (more.commands) assert.equal(commands, more.commands);
  if (more.corrections) assert.equal(inShort(meaning.corrections), more.corrections);
}

/** Defines a test for each log that means something else than the signature. */
export function otherLogs(test: ReturnType<typeof suite>, table: Record<string, string[]>): void {
  for (const [id, logs] of Object.entries(table))
    for (const log of logs) test(`not ${id}: ${log.slice(0, 80).replaceAll('\n', ' ')}`, () => assert.is.not(readingOf(log).id, id));
}

function has(text: string, piece: string): void {
  assert.ok(text.includes(piece), `${JSON.stringify(text)} lacks ${JSON.stringify(piece)}`);
}
