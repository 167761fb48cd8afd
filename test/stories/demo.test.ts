import { apiClient } from '../support/network/client.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { startMode } from '../support/processes/process.ts';
import { tellStory } from './story.ts';

/** The story runs eleven mirrors in one namespace at the same time: one more than usually may. */
const MIRROR_LIMITS = '3,11,50';

/** `npm run demo`, as a newcomer runs it: sandbox, operator, agent and shop in one process. */
tellStory('the story on the demo', async () => {
  const demo = startMode('demo', { PORT: '0', ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8', MIRROR_LIMITS });
  const [, url = ''] = await demo.line(/^address: (\S+)$/m);
  const [, kubeconfig = ''] = await demo.line(/^kubeconfig: (\S+)$/m);
  const kubectl = await clusterUser(kubeconfig);
  return {
    client: apiClient(url),
    kubectl,
    stop: async () => {
      await kubectl.close();
      const code = await demo.stop();
      if (code !== 0) throw new Error(`the demo ended with ${code}:\n${demo.output().slice(-2000)}`);
    },
  };
});
