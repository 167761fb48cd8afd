import { readFile } from 'node:fs/promises';
import { installPodmend } from '../support/worlds/installed.ts';
import { tellStory } from './story.ts';

const kubeconfig = process.env['TEST_KUBECONFIG'];

if (!kubeconfig) {
  console.log('SKIP the story on a real node: TEST_KUBECONFIG is not set');
} else {
  tellStory('the story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    await installed.startOperator({ ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    installed.startAgent();
    await installed.kubectl.apply(await readFile(new URL('../../src/modes/shop.yaml', import.meta.url), 'utf8'));
    return { ...installed, stop: () => installed.stop(['shop', 'shop-preview']) };
  });
}
