import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withoutServerFields } from '../../src/crd/server-fields.ts';

test('what only the server writes is left out, and all else stays', () => {
  const written = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { note: 'x' }, finalizers: ['example.com/keep'] },
    spec: { replicas: 2 },
  };
  const stored = {
    ...written,
    metadata: {
      ...written.metadata,
      uid: 'uid-1',
      resourceVersion: '7',
      creationTimestamp: '2026-01-01T00:00:00Z',
      generation: 3,
      managedFields: [{ manager: 'kubectl' }],
      selfLink: '/apis/apps/v1',
      deletionTimestamp: '2026-01-02T00:00:00Z',
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'uid-2' }],
    },
    status: { replicas: 2 },
  };
  const before = structuredClone(stored);
  assert.equal(withoutServerFields(stored), written);
  assert.equal(stored, before, 'the original is as it was');
});

test.run();
