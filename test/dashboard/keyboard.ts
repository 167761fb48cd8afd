import type { Locator, Page } from 'playwright-core';
import { until } from '../support/runner/wait.ts';

/** What somebody does with the keyboard in an empty browser, to sign up or to log in. Returns when the overview is there. */
export async function typeAccount(page: Page, username: string, password: string): Promise<void> {
  await page.locator('input[name=username]:focus').waitFor();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Resolves after the timers of two frames. */
const TWO_FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))';

/** Chooses an item of a menu that is open. A menu moves the focus to its first item after it is drawn, so the item must have kept the focus. */
export async function chooseByKey(item: Locator): Promise<void> {
  const page = item.page();
  const isKept = async (): Promise<boolean> => {
    await item.focus();
    await page.evaluate(TWO_FRAMES);
    return (await item.and(page.locator(':focus')).count()) === 1;
  };
  await until(isKept, { what: `the focus on ${String(item)}` });
  await page.keyboard.press('Enter');
}
