import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { chromiumFor, openScreens, type Screens } from '../support/network/browser.ts';

// The two pages that describe the HTTP interface, in a real browser. They must load everything from this server.

const chromium = chromiumFor('the documentation on the screen');
const test = suite('the documentation on the screen');
let it: TestApp;
let screens: Screens;
let url: string;

test.before(async () => {
  screens = await openScreens(chromium ?? '');
  it = await testApp();
  await it.app.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`;
});
test.after(async () => {
  await screens?.close();
  await it?.close();
});

/** Third-party scripts draw every schema on both pages. That alone takes six seconds of CPU. */
const DRAWN_MS = 200_000;
/** Redoc's logo, the only file that a page requests from another server. The Content-Security-Policy refuses it. */
const REFUSED = /cdn\.redoc\.ly/;

for (const path of ['/docs', '/redoc']) {
  test(`${path} shows every part of the interface, and needs no other server`, async () => {
    const { page, complaints, close } = await screens.visit(url + path);
    for (const text of ['Report a failing pod', 'What could be done better', 'Live messages over WebSocket'])
      await page.getByText(text).first().waitFor({ state: 'attached', timeout: DRAWN_MS });
    assert.equal(
      complaints().filter((one) => !REFUSED.test(one)),
      [],
    );
    const asked = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
    assert.equal(
      asked.filter((one) => !one.startsWith(url) && !/^(blob|data):/.test(one) && !REFUSED.test(one)),
      [],
    );
    await close();
  });
}

if (chromium) test.run();
