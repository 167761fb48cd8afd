import { fileURLToPath } from 'node:url';
import { startDemo } from '../support/processes/demo.ts';
import { chromiumFor, openScreens } from '../support/network/browser.ts';

// `node test/dashboard/screenshots.ts` makes the screenshots for README.md from the demo.

const chromium = chromiumFor('the screenshots');
if (!chromium) process.exit(1);
const to = (name: string): string => fileURLToPath(new URL(`../../.github/images/${name}.png`, import.meta.url));
const screens = await openScreens(chromium);
const demo = await startDemo();
try {
  const { page } = await screens.visit(`${demo.url}/incidents`, { viewport: { width: 1440, height: 900 } });
  await page.getByLabel('Username').fill('admin');
  await page.locator('input[name=password]').fill('correct horse');
  await page.keyboard.press('Enter');
  for (const name of ['payments', 'checkout', 'tax', 'storefront-preview', 'recommendations'])
    await page.locator('.incident', { hasText: name }).waitFor({ timeout: 60_000 });
  await page.screenshot({ path: to('failures') });

  await page.locator('.incident', { hasText: 'payments' }).click();
  await page.getByRole('button', { name: 'Try it', exact: true }).click();
  await page.getByRole('button', { name: 'Get the patch' }).waitFor({ timeout: 180_000 });
  await page.screenshot({ path: to('verdict') });
} finally {
  await screens.close();
  await demo.stop();
}
