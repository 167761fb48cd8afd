import { readFile } from 'node:fs/promises';
import { installPodmend } from '../support/installed.ts';
import { tellRestartStory } from './restart.ts';
import { tellStory } from './story.ts';

const kubeconfig = process.env['TEST_KUBECONFIG'];

if (!kubeconfig) {
  console.log('SKIP the stories on a real node: TEST_KUBECONFIG is not set');
} else {
  tellRestartStory('the restart story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    installed.startAgent();
    return { ...installed, stop: () => installed.stop(['restart']) };
  });
  tellStory('the story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    await installed.startOperator();
    installed.startAgent();
    await installed.kubectl.apply(await readFile(new URL('../../src/modes/shop.yaml', import.meta.url), 'utf8'));
    return { ...installed, stop: () => installed.stop(['shop', 'shop-preview']) };
  });
}
