import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ObjectMeta } from '../../src/crd/kubernetes.ts';
import { managerOf, sourceOf } from '../../src/crd/managed.ts';

const cases: { says: string; meta: ObjectMeta; source: string; git: boolean }[] = [
  { says: 'nothing said: somebody applied it', meta: {}, source: 'kubectl', git: false },
  { says: 'our own label: the API', meta: { labels: { 'app.kubernetes.io/managed-by': 'podmend' } }, source: 'api', git: false },
  { says: 'another tool says so itself', meta: { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }, source: 'Helm', git: true },
  {
    says: 'Helm beside an instance label is still Helm',
    meta: { labels: { 'app.kubernetes.io/managed-by': 'Helm', 'app.kubernetes.io/instance': 'shop' } },
    source: 'Helm',
    git: true,
  },
  {
    says: "Argo CD's annotation",
    meta: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:podmend.dev/Suppression:a/b' } },
    source: 'Argo CD',
    git: true,
  },
  { says: "Argo CD's own instance label", meta: { labels: { 'argocd.argoproj.io/instance': 'shop' } }, source: 'Argo CD', git: true },
  {
    says: 'the instance label that Argo CD uses by default',
    meta: { labels: { 'app.kubernetes.io/instance': 'shop' } },
    source: 'Argo CD',
    git: true,
  },
  { says: "Flux's kustomization", meta: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } }, source: 'Flux', git: true },
  {
    says: "Flux's Helm release, although Helm signs too",
    meta: { labels: { 'helm.toolkit.fluxcd.io/name': 'apps', 'app.kubernetes.io/managed-by': 'Helm' } },
    source: 'Flux',
    git: true,
  },
  {
    says: 'Git that copied our label is still Git',
    meta: { labels: { 'app.kubernetes.io/managed-by': 'podmend', 'kustomize.toolkit.fluxcd.io/name': 'apps' } },
    source: 'Flux',
    git: true,
  },
];
for (const { says, meta, source, git } of cases)
  test(says, () => {
    assert.is(sourceOf(meta), source);
    assert.is(managerOf(meta), git ? source : undefined);
  });

test.run();
