import './styles.ts';
import type { UserRecord } from '../contract/auth.ts';
import { firstRequests } from './first-requests.ts';
import { sendEarly } from './live/early.ts';
import { findSession, type Session } from './shell/find-session.ts';

// The first script. It is small, so that it runs early. While the other scripts load, it requests the data of the screen, or the session if
// the page has none. It starts the other scripts after the browser has painted the page.

/** The longest wait for the first paint. A page in the background is not painted. */
const PAINT_MS = 500;

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
// If the request has a live session, the server writes the frame and the user into the page.
const user = document.querySelector<HTMLMetaElement>('meta[name=user]')?.content;
if (user !== undefined) sendEarly(firstRequests(location));
const found: Promise<Session> =
  user === undefined ? findSession() : Promise.resolve({ kind: 'person', user: JSON.parse(user) as UserRecord });
const painted = new Promise<void>((resolve) => {
  setTimeout(resolve, document.visibilityState === 'visible' ? PAINT_MS : 0);
  requestAnimationFrame(() => setTimeout(resolve));
});
// Not awaited: the other scripts import modules of this one, and would wait until it has ended.
void painted.then(() => import('./main.tsx')).then(({ draw }) => draw(root, found));
