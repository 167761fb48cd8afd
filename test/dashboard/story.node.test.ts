import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onNode } from '../support/cluster/on-node.ts';
import { chromiumFor, openScreens, type Screen, type Screens, within } from '../support/network/browser.ts';
import { type NodeWorld, nodeWorld } from '../support/worlds/node.ts';
import { countClicks } from './clicks.ts';
import { typeAccount } from './keyboard.ts';

// The shortest story on the screen, on a real API server and a real kubelet: from a red incident to the copied patch.

/** Its probe asks a port where nothing listens. */
const WEB = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
      - {name: app, image: 'web:1', readinessProbe: {httpGet: {path: /, port: 8080}, periodSeconds: 1}}
`;
/** So that a container counts as unready soon. */
const SOON = { UNREADY_GRACE_SECONDS: '3' };
const PATIENCE_MS = 150_000;

onNode('the story on the screen, on a real node', (kubeconfig) => {
  const chromium = chromiumFor('the story on the screen, on a real node');
  if (!chromium) return;
  const test = suite('the story on the screen, on a real node');
  let screens: Screens;
  let world: NodeWorld;
  let screen: Screen;
  test.before(async () => {
    // This builds the dashboard. The operator serves the build that exists when it starts.
    screens = await openScreens(chromium);
    world = await nodeWorld(kubeconfig, 'screen');
    await world.kubectl.apply(WEB.replace('{name: web}', `{name: web, namespace: ${world.namespace}}`));
    await world.startOperator(SOON);
    world.startAgent(SOON);
    screen = await screens.visit(world.url, { permissions: ['clipboard-read', 'clipboard-write'] });
  });
  test.after(async () => {
    await screens?.close();
    await world?.end();
  });

  test('from a red incident to the patch that a mirror has proven in three clicks, and the patch mends the workload', async () => {
    const { page } = screen;
    const { namespace, kubectl } = world;
    await typeAccount(page, 'admin', 'correct horse');
    const [clicks, began] = [await countClicks(page), performance.now()];
    await page.getByRole('main').getByRole('link', { name: /^web/ }).click({ timeout: PATIENCE_MS });
    await page.getByText('nothing listens on port').first().waitFor();
    await page.getByRole('button', { name: 'Try it', exact: true }).click();
    await page.getByRole('button', { name: 'Get the patch' }).click({ timeout: PATIENCE_MS });
    await page.getByText('kubectl patch is on the clipboard.').waitFor();
    assert.is(await clicks(), 3);
    console.log(`from the login to the copied patch on a real node: ${((performance.now() - began) / 1000).toFixed(0)} s`);
    await page.getByTestId('headline').getByText('Fixed on a mirror').waitFor({ state: 'attached' });
    const command = await within('the clipboard', page.evaluate<string>('navigator.clipboard.readText()'));
    const [, patch = ''] = new RegExp(`^kubectl patch deployment web -n ${namespace} --type=json -p '([^']+)'$`).exec(command.trim()) ?? [];
    assert.match(patch, '"value":80', command);
    await kubectl('patch', 'deployment', 'web', '-n', namespace, '--type=json', '-p', patch);
    await kubectl('rollout', 'status', 'deployment/web', '-n', namespace, '--timeout=120s');
    assert.equal(screen.complaints(), []);
  });
  test.run();
});
