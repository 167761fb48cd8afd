import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeObject } from '../../src/checks/judge.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { judgeVisible } from '../../src/scanner/judge-visible.ts';

const bindingOf = (...subjects: [namespace: string, name: string][]) =>
  ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'admins' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: subjects.map(([namespace, name]) => ({ kind: 'ServiceAccount', name, namespace })),
  }) as KubeObject;
const options = { minor: 36, around: { hasAccount: () => false } };

test('if a binding also names accounts of hidden namespaces, only the others are reported, at their own index', () => {
  const found = judgeVisible(bindingOf(['hidden', 'ghost'], ['shop', 'robot']), ['hidden'], options);
  assert.equal(
    found.map(({ check_name, message, details }) => [check_name, message, details.field_paths, details.fix]),
    [
      ['admin-binding', 'ServiceAccount robot may do everything in the whole cluster.', ['subjects[1]'], undefined],
      ['missing-account', 'ServiceAccount shop/robot does not exist.', ['subjects[1]'], undefined],
    ],
  );
  assert.not.match(JSON.stringify(found), /hidden|ghost/);
});

test('a binding that names only such accounts is not reported; any other object is checked as it is', () => {
  assert.equal(judgeVisible(bindingOf(['hidden', 'ghost']), ['hidden'], options), []);
  const binding = bindingOf(['shop', 'robot']);
  assert.equal(judgeVisible(binding, ['hidden'], options), judgeObject(binding, options));
});

test.run();
