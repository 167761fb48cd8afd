import { readFile } from 'node:fs/promises';
import { onNode } from '../support/cluster/on-node.ts';
import { installPodmend } from '../support/worlds/installed.ts';
import { tellStory } from './story.ts';

onNode('the story on a real node', (kubeconfig) =>
  tellStory('the story on a real node', async () => {
    const installed = await installPodmend(kubeconfig);
    await installed.startOperator({ ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' });
    installed.startAgent();
    await installed.kubectl.apply(await readFile(new URL('../../src/modes/shop.yaml', import.meta.url), 'utf8'));
    return { ...installed, stop: () => installed.stop(['shop', 'shop-preview']) };
  }),
);
