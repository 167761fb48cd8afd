import { onNode } from '../support/cluster/on-node.ts';
import { installPodmend } from '../support/worlds/installed.ts';
import { tellRestartStory } from './restart.ts';

onNode('the restart story on a real node', (kubeconfig) =>
  tellRestartStory('the restart story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    installed.startAgent();
    return { ...installed, stop: () => installed.stop(['restart']) };
  }),
);
