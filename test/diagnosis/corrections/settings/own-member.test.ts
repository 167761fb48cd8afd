import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownMember } from '../../../../src/diagnosis/corrections/settings/own-member.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('the own member of an etcd cluster');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const member = (line: string, container: object, spec: object = {}) => ownMember(anInput(container, spec), line);

const local = (container: object, name = 'kv', spec: object = {}) =>
  member(`couldn't find local name "${name}" in the initial cluster configuration`, container, spec);
const FIRST = '--initial-cluster=kv-0=http://kv-0.kv:2380';
rows('a name that a list of one lacks', {
  'becomes that of the list, like the host': [local(args('--name=kv', FIRST)), likely({ 'args[0]': '--name=kv-0' })],
  'in a variable': [local({ ...args(FIRST), ...env({ A: 'kv', ETCD_NAME: 'kv' }) }), likely({ 'env[1].value': 'kv-0' })],
  'is that of the pod': [
    local(args('--name=kv', FIRST), 'kv', { hostname: 'kv' }),
    likely({ 'args[1]': '--initial-cluster=kv=http://kv.kv:2380' }),
  ],
  'that the host does not have': [
    local(args('--name=kv', '--initial-cluster=kv-0=http://other.kv:2380')),
    likely({ 'args[1]': '--initial-cluster=kv=http://other.kv:2380' }),
  ],
  'with a host that only begins with it': [
    local(args('--name=kv', '--initial-cluster=kv-0=http://kv-01.kv:2380')),
    likely({ 'args[1]': '--initial-cluster=kv=http://kv-01.kv:2380' }),
  ],
  'given twice': [
    local({ ...args('--name=kv', FIRST), ...env({ ETCD_NAME: 'kv' }) }),
    likely({ 'args[1]': '--initial-cluster=kv=http://kv.kv:2380' }),
  ],
  'beside the name of something else': [
    local(args('--log-name=other', FIRST)),
    likely({ 'args[1]': '--initial-cluster=kv=http://kv.kv:2380' }),
  ],
  'given as another setting': [local(args('--name-of=kv', FIRST)), likely({ 'args[1]': '--initial-cluster=kv=http://kv.kv:2380' })],
  'in escaped quotes': [
    member(String.raw`couldn't find local name \"kv\" in the initial cluster`, args('--initial-cluster=kv0=http://b:1')),
    likely({ 'args[0]': '--initial-cluster=kv=http://b:1' }),
  ],
  'that is no list': [local(args('--initial-cluster=kv-0')), []],
  'with no list': [local(args('--name=kv', '--initial-cluster-state=new')), []],
  'with two lists': [local({ ...args(FIRST), ...env({ ETCD_INITIAL_CLUSTER: 'm0=http://b:1' }) }), []],
});
test('a name that a list of one lacks, in words', () => {
  assert.equal(inWords(local(args('--name=kv', FIRST))[0]), [
    'Set `--name` to `kv-0`',
    'The list of members has no `kv`.',
    'the list and the host of the member have `kv-0`',
  ]);
  assert.equal(inWords(local(args(FIRST))[0]), [
    'Set `--initial-cluster` to `kv=http://kv.kv:2380`',
    'The list of members has no `kv`.',
    'the member is called `kv`',
  ]);
});

const list = (value: string, name = 'kv-1') => local(args(`--initial-cluster=${value}`), name);
rows('a list whose names are not those of its hosts', {
  'gets them': [
    list('m0=http://kv-0.kv:2380, m1=https://kv-1.kv:2380'),
    likely({ 'args[0]': '--initial-cluster=kv-0=http://kv-0.kv:2380,kv-1=https://kv-1.kv:2380' }),
  ],
  'of which none is the member': [list('m0=http://kv-0.kv:2380,m1=http://kv-1.kv:2380', 'kv-2'), []],
  'with a host without a domain': [list('m0=http://kv-0:2380,m1=http://kv-1.kv:2380'), []],
  'with something else in it': [list('m0=http://kv-0.kv:2380,m1=http://kv-1.kv:2380,c'), []],
});
test('a list whose names are not those of its hosts, in words', () =>
  assert.equal(
    [list('m0=http://kv-0.kv:2380,m1=http://kv-1.kv:2380')[0]].map((one) => [...inWords(one), one?.mirrorable]),
    [
      [
        'Name the members in `--initial-cluster` after their hosts',
        'The list of members has no `kv-1`.',
        'the member is called `kv-1`, as its host',
        true,
      ],
    ],
  ));

const OTHER = '--initial-cluster has kv-0=http://a:2380 but missing from --initial-advertise-peer-urls=http://b:2380';
rows('another address in the list than the own one', {
  'becomes the own one': [
    member(OTHER, { ...args('x'), ...env({ A: 'kv-0=http://a:2380', ETCD_INITIAL_CLUSTER: 'kv-1=http://c:1,kv-0=http://a:2380' }) }),
    likely({ 'env[1].value': 'kv-1=http://c:1,kv-0=http://b:2380' }),
  ],
  'in an option': [member(OTHER, args('--initial-cluster', 'kv-0=http://a:2380')), likely({ 'args[1]': 'kv-0=http://b:2380' })],
  'that the list does not have': [member(OTHER, args('--initial-cluster=kv-0=http://z:2380')), []],
  'without a list': [member(OTHER, args('x')), []],
  'without a container': [ownMember(anInput(args(FIRST), {}, { manifest: 'x' }), OTHER), []],
});
test('another address in the list than the own one, in words', () => {
  const [one] = member(OTHER, args('--initial-cluster', 'kv-0=http://a:2380'));
  assert.equal(
    [...inWords(one), one?.mirrorable],
    [
      'Set the address of `kv-0` in `--initial-cluster` to `http://b:2380`',
      'The list has `http://a:2380` for it.',
      'the member gives `http://b:2380` as its address',
      true,
    ],
  );
});

test.run();
