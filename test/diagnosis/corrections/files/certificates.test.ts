import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { keyOfCertificate } from '../../../../src/diagnosis/corrections/files/key-of-certificate.ts';
import { withSameStem } from '../../../../src/diagnosis/corrections/files/same-stem.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('certificates and their keys');
const rows = correctionRows(test);

const items = (...keys: string[]) => ({ items: keys.map((key) => ({ key, path: key })) });
const volume = (name: string, secretName: string, ...keys: string[]) => ({
  name,
  secret: { secretName, ...(keys.length > 0 && items(...keys)) },
});
const mount = (name: string, more: object = {}) => ({ name, mountPath: `/${name}`, ...more });
const BOTH = ['tls.crt', 'tls.key'];
const pod = (volumes: object[], volumeMounts: object[], secrets: Record<string, string[]> = { a: BOTH, b: BOTH }) =>
  anInput({ volumeMounts }, { volumes }, { surroundings: { secrets: Object.entries(secrets).map(([name, keys]) => ({ name, keys })) } });
const found = (...given: Parameters<typeof pod>) => keyOfCertificate(pod(...given));
const APART = [volume('c', 'a', 'tls.crt'), volume('k', 'b', 'tls.key')];
const MOUNTS = [mount('c'), mount('k')];
const FROM_A = likely({ 'spec.volumes[1].secret.secretName': 'a' });
const projected = (...sources: object[]) => ({ name: 'p', projected: { sources } });

rows('a key that does not belong to its certificate', {
  'comes from the same Secret': [found(APART, MOUNTS), FROM_A],
  'of other names': [
    found([volume('c', 'a', 'ca-cert'), volume('k', 'b', 'my-key.pem')], MOUNTS, { a: ['ca-cert', 'my-key.pem'], b: [] }),
    FROM_A,
  ],
  'by the paths of its mounts': [
    found([volume('c', 'a'), volume('k', 'b')], [mount('c', { subPath: 'tls.crt' }), mount('k', { subPath: 'tls.key' })]),
    FROM_A,
  ],
  'in one volume of both': [
    found(
      [
        projected(
          { configMap: { name: 'x' } },
          { secret: { name: 'a', ...items('tls.crt') } },
          { secret: { name: 'b', ...items('tls.key') } },
        ),
      ],
      [mount('p')],
    ),
    likely({ 'spec.volumes[0].projected.sources[2].secret.name': 'a' }),
  ],
  'beside a Secret that is not mounted': [found([...APART, volume('other', 'b', 'x.crt')], MOUNTS), FROM_A],
  'that the Secret lacks': [found(APART, MOUNTS, { a: ['tls.crt'], b: BOTH }), []],
  'of a Secret that nobody knows': [found(APART, MOUNTS, { b: BOTH }), []],
  'of one Secret': [found([volume('c', 'a', 'tls.crt'), volume('k', 'a', 'tls.key')], MOUNTS), []],
  'beside two certificates': [found([...APART, volume('d', 'b', 'x.crt')], [...MOUNTS, mount('d')]), []],
  'beside another key': [found([...APART, volume('d', 'b', 'x.key')], [...MOUNTS, mount('d')]), []],
  'in a volume of all keys': [found([volume('c', 'a', 'tls.crt'), volume('k', 'b')], MOUNTS), []],
  'in a volume of both': [found([volume('c', 'a', ...BOTH), volume('k', 'b', 'tls.key')], MOUNTS), []],
  'without a volume': [found([], []), []],
});

test('the words', () =>
  assert.equal(inWords(found(APART, MOUNTS)[0]), [
    'Take the key from Secret `a`',
    'The key comes from Secret `b` now, and the certificate from `a`.',
    'the certificate comes from `a`',
  ]));

const FILES = pod([volume('c', 'a')], [mount('c')], { a: ['web.crt', 'web.key', 'other.key'] });
const stems = (file: string, path: string, input = FILES) => withSameStem(input, input.place()!, file, path);
test('with a certificate, the files of its name get the new name too', () => {
  assert.equal(stems('/c/tls.crt', '/c/web.crt'), [['/c/tls.key', '/c/web.key']]);
  assert.equal(stems('/c/web.crt', '/c/web.crt'), [], 'the same name');
  assert.equal(stems('/c/web.pem', '/c/web.crt'), [], 'the same name with another ending');
  assert.equal(stems('/c/tls', '/c/web.crt'), [], 'a name without an ending');
  assert.equal(stems('/c/other.crt', '/c/web.crt'), [], 'where a file of the old name is there');
});

test.run();
