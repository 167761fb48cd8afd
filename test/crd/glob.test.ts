import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { globMatches } from '../../src/crd/glob.ts';

const globs = suite('globs');
const globCases: [glob: string, text: string, matches: boolean][] = [
  ['web', 'web', true],
  ['web', 'web-1', false],
  ['web-*', 'web-', true],
  ['web-*', 'web-1/2', true],
  ['web-*', 'a-web-1', false],
  ['*-db', 'shop-db', true],
  ['*-db', 'shop-db-0', false],
  ['*db*', 'shop-db-0', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'acb', false],
  ['a*a', 'a', false],
  ['ab*ba', 'aba', false],
  ['a**b', 'ab', true],
  ['a.c', 'abc', false],
  ['[a-c]', 'a', false],
  ['registry.example/*', 'registry.example/team/web:1@sha256:0', true],
  ['', '', true],
];
for (const [glob, text, matches] of globCases)
  globs(`${glob || '(empty)'} ${matches ? 'is' : 'is not'} ${text || '(empty)'}`, () => assert.is(globMatches(glob, text), matches));
globs('a glob made to be slow ends', () => {
  assert.is(globMatches(`${'*a'.repeat(100)}*b`, 'a'.repeat(100_000)), false);
});
globs.run();
