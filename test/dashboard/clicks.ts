import type { Page } from 'playwright-core';

/** Counts the clicks in this document from now on. A reload would lose the count, and then the returned function fails. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.clicks = 0; addEventListener('click', ({ isTrusted, detail }) => (clicks += isTrusted && detail > 0), true)`);
  return () => page.evaluate<number>('clicks');
}

/** What somebody does with the keyboard in an empty browser, to sign up or to log in. Returns when the overview is there. */
export async function typeAccount(page: Page, username: string, password: string): Promise<void> {
  await page.locator('input[name=username]:focus').waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}
