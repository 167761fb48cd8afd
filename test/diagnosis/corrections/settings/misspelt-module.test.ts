import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { misspeltModule } from '../../../../src/diagnosis/corrections/settings/misspelt-module.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('modules of Python under a wrong name');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const module = (name: string, container: object = env({ M: name }), spec: object = {}, parts: CaseParts = {}) =>
  misspeltModule(anInput(container, spec, parts), name);
const becomes = (name: string) => module(name)[0]?.changes[0]?.to;

test('a slip in a usual word', () => {
  assert.is(becomes('setings'), 'settings', 'of one letter');
  assert.is(becomes('setingz'), 'settings', 'of two letters');
  assert.is(becomes('zetingz'), undefined, 'of three letters');
  assert.is(becomes('settingsxx'), undefined, 'of two letters more');
  assert.is(becomes('tazks'), 'tasks', 'of one letter in a short word');
  assert.is(becomes('tazkz'), undefined, 'of two letters in a short word');
  assert.is(becomes('confgi'), 'config', 'of six letters');
  assert.is(becomes('konfigg'), 'config', 'of two in six letters');
  assert.is(becomes('mai'), undefined, 'in a word of three letters');
  assert.is(becomes('xsgi'), undefined, 'of which two are near');
  assert.is(becomes('settings.asgi'), undefined, 'in none');
  assert.is(becomes('main.setings.wsgi'), 'main.settings.wsgi', 'in the middle');
  assert.is(becomes('setings.confgi'), 'settings.confgi', 'in two words: the first');
});
rows('a slip in a usual word', {
  'in an option of the command': [
    module('shop.celry', { command: ['celery', '-A', 'shop.celry'] }),
    likely({ 'command[2]': 'shop.celery' }),
  ],
  'in one of several arguments': [module('shop.setings', args('a', 'shop.setings:app')), likely({ 'args[1]': 'shop.settings:app' })],
  'wherever it is': [
    module('shop.setings', { ...args('shop.setings'), ...env({ M: 'shop.setings' }) }),
    likely({ 'env[0].value': 'shop.settings', 'args[0]': 'shop.settings' }),
  ],
  'that the container does not name': [module('shop.setings', env({ M: 'other' })), []],
  'without a manifest': [module('shop.setings', {}, {}, { manifest: 'x' }), []],
});
test('a slip in a usual word, in words', () =>
  assert.equal(inWords(module('shop.setings')[0]), [
    'Write `settings`',
    'Modules of Python are usually called so.',
    '`setings` looks like a typo of `settings`',
  ]));

const SPELT = (slip: string, ...others: string[]) => module(slip, { ...args(`${slip}.web`), ...env(Object.fromEntries(others.entries())) });
rows('a package that another setting spells otherwise', {
  'in a variable': [SPELT('shp', 'shop.a'), likely({ 'args[0]': 'shop.web' })],
  'with a function': [SPELT('shp', 'shop.a:app'), likely({ 'args[0]': 'shop.web' })],
  'in two variables': [SPELT('shp', 'shop.a', 'shop.b'), likely({ 'args[0]': 'shop.web' })],
  'in the command': [module('shp', { command: ['shop.b'], ...env({ M: 'shp.a' }) }), likely({ 'env[0].value': 'shop.a' })],
  'in an argument': [module('shp.web', { args: ['shop.b'], ...env({ M: 'shp.web' }) }), likely({ 'env[0].value': 'shop.web' })],
  'as two': [SPELT('shop', 'shops.a', 'shopx.a'), []],
  'as itself': [SPELT('shop', 'shop.a'), []],
  'as another': [SPELT('shop', 'warehouse.a'), []],
  'without a module': [SPELT('shp', 'shop'), []],
  'in a sentence': [SPELT('shp', 'see shop.a'), []],
  'with the slip in two places': [SPELT('shp', 'shp.b', 'shop.a'), []],
});
test('a package that another setting spells otherwise, in words', () =>
  assert.equal(inWords(SPELT('shp', 'shop.a')[0]), [
    'Write `shop`',
    '`shp` looks like a typo of `shop`.',
    'another setting of the container names `shop`',
  ]));

const beside = (name: string, other: object, list = 'initContainers') =>
  module(
    name,
    {},
    {
      containers: [
        { name: 'app', image: 'a', ...env({ M: name }) },
        ...(list === 'containers' ? [{ name: 'o', image: 'a', ...other }] : []),
      ],
      ...(list === 'containers' ? {} : { initContainers: [{ name: 'o', image: 'a', ...other }] }),
    },
  );
const PROD = likely({ 'env[0].value': 'shop.settings.production' });
rows('a module that another container names', {
  'in its variable': [beside('shop.settings.prod', env({ M: 'shop.settings.production' })), PROD],
  'in its command': [beside('shop.settings.prod', { command: ['sh', '-c', 'run shop.settings.production'] }), PROD],
  'in its arguments': [beside('shop.settings.prod', args('shop.settings.production', 'shop.settings.production'), 'containers'), PROD],
  'longer than it': [beside('shop.settings.productions', env({ M: 'shop.settings.production' })), PROD],
  'with a slip': [beside('shop.settings.prodcution', env({ M: 'shop.settings.production' })), PROD],
  'by two letters': [beside('shop.settings.pr', env({ M: 'shop.settings.pronto' })), []],
  'in another package': [beside('shop.settings.prod', env({ M: 'shops.settings.production' })), []],
  'below it': [beside('shop.settings.prod', env({ M: 'shop.settings.production.eu' })), []],
  'with another name': [beside('shop.settings.prod', env({ M: 'shop.settings.local' })), []],
  'under two names': [beside('shop.settings.prod', env({ M: 'shop.settings.production', N: 'shop.settings.prods' })), []],
  'without a package': [beside('proj', env({ M: 'project.x' })), []],
  'far behind': [beside('shop.settings.prod', args(`${' '.repeat(2000)}shop.settings.production`)), []],
});
test('a module that another container names, in words', () =>
  assert.equal(inWords(beside('shop.settings.prod', env({ M: 'shop.settings.production' }))[0]), [
    'Write `shop.settings.production`',
    'Another container of the pod runs with `shop.settings.production`, or a volume brings it.',
    'the pod has this module',
  ]));

const mounted = (name: string, files: Record<string, string[]>, more: object = args(name)) =>
  module(
    name,
    { ...more, volumeMounts: Object.keys(files).map((mountPath, at) => ({ name: `v${at}`, mountPath })) },
    { volumes: Object.keys(files).map((_, at) => ({ name: `v${at}`, configMap: { name: `c${at}` } })) },
    { surroundings: { configMaps: Object.values(files).map((keys, at) => ({ name: `c${at}`, keys })) } },
  );
rows('a module that a volume brings', {
  'to a folder': [mounted('local', { '/srv': ['other.py', 'local.py'] }), likely({ workingDir: '/srv' })],
  'to two folders': [mounted('local', { '/srv': ['local.py'], '/app': ['local.py'] }), []],
  'twice to a folder': [mounted('shop', { '/srv/shop': ['__init__.py'], '/srv': ['shop.py'] }), likely({ workingDir: '/srv' })],
  'to the root': [mounted('shop.local', { '/shop': ['local.py'] }), []],
  'in a package': [mounted('shop.conf.local', { '/srv/shop/conf': ['local.py'] }), likely({ workingDir: '/srv' })],
  'as another file': [mounted('local', { '/srv': ['local.txt', 'mylocal.py'] }), []],
  'with a slip, in a nested package': [
    mounted('shop.conf.locl', { '/srv/shop/conf': ['local.py'] }),
    likely({ 'args[0]': 'shop.conf.local' }),
  ],
  'with a slip, as another file': [mounted('shop.conf.locl', { '/srv/shop/conf': ['local.txt', 'a-local.py'] }), []],
  'with a slip, elsewhere': [mounted('shop.conf.locl', { '/srv/shop': ['local.py'] }), []],
});
test('a module that a volume brings, in words', () =>
  assert.equal(inWords(mounted('local', { '/srv': ['local.py'] })[0]), [
    'Start in the folder `/srv`',
    'Python looks for the modules of a program in the folder in which it starts.',
    'a volume brings the module `local` there',
  ]));

test.run();
