import type { Page } from 'playwright-core';

/** Counts the clicks in this document from now on. A reload would lose the count, and then the returned function fails. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`window.clicks = 0; addEventListener('click', ({ isTrusted, detail }) => (clicks += isTrusted && detail > 0), true)`);
  return () => page.evaluate<number>('clicks');
}
