import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requiredOption } from '../../../../src/diagnosis/corrections/settings/required-option.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('options that a program misses');
const rows = correctionRows(test);

const named = (...names: string[]) => anInput(env(Object.fromEntries(names.map((name) => [name, 'x']))));
const misses = (line: string, ...names: string[]) => requiredOption(named('X', ...names), line)?.wanted;
for (const line of [
  'Error: --repo-allowlist must be set',
  'repo-allowlist must be specified',
  "option 'repo_allowlist' must be provided",
  'option "repo-allowlist" must be given',
  '`repo-allowlist` is required',
  '(repo-allowlist is mandatory)',
  'config:repo-allowlist is not set',
  'repo-allowlist was not set',
  'the repo-allowlist was not given',
  'the repo-allowlist was not provided',
])
  test(`a missing option: ${line}`, () => assert.is(misses(line, 'ATLANTIS_REPO_WHITELIST'), 'ATLANTIS_REPO_ALLOWLIST'));
for (const line of [
  'repo-allowlist is set',
  'allowlist must be set',
  'a.repo-allowlist must be set',
  'REPO-ALLOWLIST must be set',
  'repo-allowlist must be settled',
])
  test(`no missing option: ${line}`, () => assert.is(misses(line, 'ATLANTIS_REPO_WHITELIST', 'ATLANTIS_WHITELIST'), undefined));

const LINE = 'encryption_key is required';
test('the variable of a missing option', () => {
  assert.is(misses(LINE, 'N8N_ENCRYPTIONKEY'), 'N8N_ENCRYPTION_KEY', 'without a separator');
  assert.is(misses(LINE, 'N8N_ENCRYPTIONKEY_FILE'), 'N8N_ENCRYPTION_KEY_FILE', 'with more behind it');
  assert.is(misses(LINE, 'MY_N8N_ENCRYPTIONKEY'), 'MY_N8N_ENCRYPTION_KEY', 'with more before it');
  assert.is(misses('db-user is required', 'APP_DATABASE_USERNAME'), 'APP_DB_USER', 'in other words');
  assert.is(misses('user-db is required', 'APP_MY_USERNAME_DATABASE_FILE'), 'APP_MY_USER_DB_FILE', 'in other words, in the middle');
  assert.is(misses(LINE, 'ENCRYPTIONKEY'), undefined, 'without the prefix of the program');
  assert.is(misses(LINE, 'ENCRYPTIONKEY_FILE'), undefined, 'without the prefix, with more behind it');
  assert.is(misses(LINE, 'N8N_ENCRYPTION_KEY'), undefined, 'that is right');
  assert.is(misses(LINE, 'N8N_ENCRYPTION_KEYS'), undefined, 'of another option');
  assert.is(misses(LINE, 'N8N_ENCRYPTIONKEY', 'APP_ENCRYPTIONKEY'), undefined, 'of two');
  assert.is(misses(LINE, 'N8N_ENCRYPTIONKEY', 'N8N_ENCRYPTION_KEY'), undefined, 'that is there under its name');
  assert.is(requiredOption(anInput({}, {}, { manifest: 'x' }), LINE), undefined, 'without a manifest');
});
rows('the variable of a missing option', {
  'gets its name': [requiredOption(named('X', 'N8N_ENCRYPTIONKEY'), LINE), likely({ 'env[1].name': 'N8N_ENCRYPTION_KEY' })],
});
test('the variable of a missing option, in words', () => {
  const found = requiredOption(named('X', 'N8N_ENCRYPTIONKEY'), LINE);
  assert.is(found?.name, 'N8N_ENCRYPTIONKEY');
  assert.equal(inWords(found?.correction), [
    'Rename `N8N_ENCRYPTIONKEY` to `N8N_ENCRYPTION_KEY`',
    'The program says that `N8N_ENCRYPTION_KEY` is missing.',
    'the program reads `N8N_ENCRYPTION_KEY`',
  ]);
});

test.run();
