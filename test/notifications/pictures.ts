import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { KINDS } from '../../src/dashboard/notifications/types.ts';
import { chromiumFor, openScreens } from '../support/network/browser.ts';
import { notificationWorld } from '../support/worlds/notifications.ts';

// `node test/notifications/pictures.ts` makes the pictures of src/notifications/README.md. It takes them from the preview in the dashboard,
// which draws the payload that is sent.

const MAX_BYTES = 30_000;
const chromium = chromiumFor('the pictures');
if (!chromium) process.exit(1);
const folder = fileURLToPath(new URL('../../.github/images/notifications/', import.meta.url));
mkdirSync(folder, { recursive: true });
const [screens, world] = await Promise.all([openScreens(chromium), notificationWorld()]);
try {
  const [name = '', ...value] = world.cookie('admin').split('=');
  const cookie = { name, value: value.join('='), domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false };
  const storageState = { cookies: [{ ...cookie, sameSite: 'Lax' as const }], origins: [] };
  const window = { viewport: { width: 1240, height: 900 }, colorScheme: 'light' as const, storageState };
  const { page } = await screens.visit(`${world.url}/notifications?add=yes`, window);
  const empty = await page.context().newPage();
  /** WebP takes less than half the size of PNG. The quality goes down until the picture fits the limit. */
  const asWebp = async (png: Buffer): Promise<Buffer> => {
    const address = await empty.evaluate<string>(`(async () => {
      const picture = new Image();
      picture.src = 'data:image/png;base64,${png.toString('base64')}';
      await picture.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
      canvas.getContext('2d').drawImage(picture, 0, 0);
      const tries = [0.6, 0.45, 0.3].map((quality) => canvas.toDataURL('image/webp', quality));
      return tries.find(({ length }) => length * 0.75 < ${MAX_BYTES}) ?? tries.at(-1);
    })()`);
    return Buffer.from(address.replace(/^[^,]*,/, ''), 'base64');
  };
  for (const [type, kind] of Object.entries(KINDS)) {
    await page.getByLabel('Service', { exact: true }).selectOption(type);
    if (type === 'slack') for (const secret of ['Token of the bot', 'Signing secret']) await page.getByLabel(secret).fill('secret');
    const drawing = page.getByRole('group', { name: `A message in ${kind.name}` });
    await drawing.first().waitFor();
    if (type === 'slack') await drawing.getByText('Get the patch').waitFor();
    writeFileSync(`${folder}${type}.webp`, await asWebp(await drawing.first().screenshot()));
  }
} finally {
  await screens.close();
  await world.close();
}
