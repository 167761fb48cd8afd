import { installPodmend } from '../support/worlds/installed.ts';
import { tellRestartStory } from './restart.ts';

const kubeconfig = process.env['TEST_KUBECONFIG'];

if (!kubeconfig) {
  console.log('SKIP the restart story on a real node: TEST_KUBECONFIG is not set');
} else {
  tellRestartStory('the restart story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    installed.startAgent();
    return { ...installed, stop: () => installed.stop(['restart']) };
  });
}
