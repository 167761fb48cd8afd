import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lineOf } from '../../src/crd/field-line.ts';

const test = suite('the line of a field');

const MANIFEST = `# a comment before it
kind: Deployment
metadata:
  name: web
  labels: {app: web, tier: front}
spec:
  template:
    spec:

      containers:
      # the first one
      - name: app
        image: web:1
        ports:
        - containerPort: 80
          name: http
        - containerPort: 81
      -
        name: beside
        image: log:1
      nodeSelector:
        "kubernetes.io/os": linux
        'kubernetes.io/arch': amd64
  replicas: 2`.split('\n');

const LINES: [path: string, line: string][] = [
  ['kind', 'kind: Deployment'],
  ['metadata.name', '  name: web'],
  ['metadata.labels.tier', '  labels: {app: web, tier: front}'],
  ['spec.template.spec.containers', '      containers:'],
  ['spec.template.spec.containers[0]', '      - name: app'],
  ['spec.template.spec.containers[0].name', '      - name: app'],
  ['spec.template.spec.containers[0].image', '        image: web:1'],
  ['spec.template.spec.containers[0].ports[0].name', '          name: http'],
  ['spec.template.spec.containers[0].ports[1].containerPort', '        - containerPort: 81'],
  ['spec.template.spec.containers[1]', '      -'],
  ['spec.template.spec.containers[1].image', '        image: log:1'],
  ['spec.template.spec.nodeSelector["kubernetes.io/os"]', '        "kubernetes.io/os": linux'],
  ['spec.template.spec.nodeSelector["kubernetes.io/arch"]', "        'kubernetes.io/arch': amd64"],
  ['spec.replicas', '  replicas: 2'],
  ['spec.template.spec.containers[0].resources.limits', '      - name: app'],
  ['spec.template.spec.containers[2].image', '      containers:'],
  ['spec.template.spec.replicas', '    spec:'],
  ['spec.name', 'spec:'],
  ['status', 'kind: Deployment'],
];
for (const [path, line] of LINES) test(`${path} is in ${JSON.stringify(line)}`, () => assert.is(MANIFEST[lineOf(MANIFEST, path)], line));

test('a list may be indented as little as its key', () => {
  assert.is(lineOf(['a:', '- b: 1', '- b: 2', 'c:', '- b: 3'], 'a[1].b'), 2);
  assert.is(lineOf(['a:', '- b: 1', 'c:', '- b: 3'], 'a[1].b'), 0);
  assert.is(lineOf(['a:', '- b: 1', 'c:', '- b: 3'], 'c[0].b'), 3);
});

test('an empty document has its first line', () => {
  assert.is(lineOf([], 'a'), 0);
  assert.is(lineOf(['# nothing', ''], 'a'), 0);
});

test('the given lines stay as they are', () => {
  const given = ['a:', '- b: 1'];
  lineOf(given, 'a[0].b');
  assert.equal(given, ['a:', '- b: 1']);
});

test.run();
