import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerMissing } from '../../src/api/methods.ts';

const test = suite('requests without a route');

const TABLE = [
  ['GET', '/api/pods/:id'],
  ['PUT', '/api/pods/:id'],
  ['DELETE', '/api/pods/all'],
  ['GET', '/docs/*'],
  ['GET', '/api/a.b'],
  ['GET', '/*'],
].map(([method, url]) => ({ method, url })) as never;

function answerTo(method: string, url: string): unknown[] {
  const said: unknown[] = [];
  const reply = {
    code: (status: number) => (said.push(status), reply),
    header: (name: string, value: string) => (said.push(`${name}: ${value}`), reply),
    send: ({ detail }: { detail: string }) => (said.push(detail), reply),
  };
  answerMissing(TABLE)({ method, url } as never, reply as never);
  return said;
}

const CASES: [method: string, url: string, answer: unknown[]][] = [
  ['POST', '/api/pods/7', [405, 'allow: GET, PUT', 'POST is not possible here']],
  ['POST', '/api/pods/7?x=/api/pods/all', [405, 'allow: GET, PUT', 'POST is not possible here']],
  ['POST', '/api/pods/all', [405, 'allow: DELETE, GET, PUT', 'POST is not possible here']],
  ['GET', '/api/pods/7', [404, 'Not found']],
  ['POST', '/api/pods/7/more', [404, 'Not found']],
  ['POST', '/api/pods/', [404, 'Not found']],
  ['POST', '/x/api/pods/7', [404, 'Not found']],
  ['POST', '/docs/a/b', [405, 'allow: GET', 'POST is not possible here']],
  ['POST', '/api/a.b', [405, 'allow: GET', 'POST is not possible here']],
  ['POST', '/api/axb', [404, 'Not found']],
];
for (const [method, url, answer] of CASES)
  test(`${method} ${url}: ${answer.join(', ')}`, () => assert.equal(answerTo(method, url), answer));

test.run();
