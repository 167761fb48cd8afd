import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { podSecurityViolations } from '../../src/checks/pod-security/index.ts';
import { connect } from '../../src/kube/client.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { type Corner, CORNERS } from '../support/expected/pod-security-corners.ts';

// Corner cases of the Pod Security Standards: the documentation, our controls and a real API server must agree.

const corners = suite('corners of Pod Security');
const titleOf = ({ what, level, minor }: Corner): string => `${what}, ${level} v1.${minor}`;

corners('there are three hundred at least, each once', () => {
  assert.ok(CORNERS.length >= 300, String(CORNERS.length));
  assert.is(new Set(CORNERS.map(titleOf)).size, CORNERS.length);
});

corners('the controls say what the page says', () => {
  const wrong = CORNERS.filter(({ pod, level, minor, isAllowed }) => (podSecurityViolations(pod, level, minor).length === 0) !== isAllowed);
  assert.equal(wrong.map(titleOf), []);
});

if (apiServerAssets())
  corners('a real API server says what the page says', async () => {
    const api = await startApiServer();
    const client = connect({ kubeconfigText: api.kubeconfigText, silenceMs: 30_000 });
    try {
      for (const name of new Set(CORNERS.map(({ level, minor }) => `${level}-${minor}`))) {
        const [level = '', minor = ''] = name.split('-');
        const labels = { 'pod-security.kubernetes.io/enforce': level, 'pod-security.kubernetes.io/enforce-version': `v1.${minor}` };
        await client.create(KINDS.namespace, { metadata: { name, labels } });
      }
      const wrong: string[] = [];
      let asked = 0;
      for (const corner of CORNERS) {
        const { pod, level, minor, isAllowed } = corner;
        const answer = await client
          .create(KINDS.pod, { ...pod, metadata: { ...pod.metadata, namespace: `${level}-${minor}` } }, { dryRun: true })
          .then(() => '')
          .catch((error: unknown) => {
            if (!(error instanceof KubeError)) throw error;
            return error.message;
          });
        // This server rejects some of the pods as invalid, at every level.
        if (answer !== '' && !answer.includes('violates PodSecurity')) continue;
        asked += 1;
        if ((answer === '') !== isAllowed) wrong.push(`${titleOf(corner)}: ${answer || 'admitted'}`);
      }
      assert.equal(wrong, []);
      assert.ok(asked > CORNERS.length * 0.8, `${asked} of ${CORNERS.length}`);
    } finally {
      client.close();
      await api.close();
    }
  });
else console.log('SKIP corners of Pod Security on a real API server: KUBEBUILDER_ASSETS is not set');

corners.run();
