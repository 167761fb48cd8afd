import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isRootOnNode } from '../../src/access/paths/on-node.ts';

const mounts = (path: string) => ({
  volumes: [{ name: 'host', hostPath: { path } }],
  containers: [{ name: 'app', volumeMounts: [{ name: 'host', mountPath: '/host' }] }],
});

test('a file or folder that gives the node away is enough, each alone', () => {
  for (const path of ['/etc/kubernetes/admin.conf', '/etc/kubernetes/kubelet.conf', '/etc/kubernetes/manifests', '/etc/kubernetes/pki'])
    assert.ok(isRootOnNode(mounts(path)), path);
  for (const path of ['/var/lib/kubelet/pki', '/etc/cron.d', '/root/.ssh', '/run/containerd/containerd.sock', '/var/run/docker.sock'])
    assert.ok(isRootOnNode(mounts(path)), path);
  for (const path of ['/var/log', '/etc/localtime', '/data']) assert.not.ok(isRootOnNode(mounts(path)), path);
});

test.run();
