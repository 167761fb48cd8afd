import './styles.ts';
import { findSession } from './shell/find-session.ts';

// The first script. It is small, so that it runs early: it requests the session while the other scripts load, and starts them after the
// browser has painted the page.

/** The longest wait for the first paint. A page in the background is not painted. */
const PAINT_MS = 500;

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');
// The server writes the frame into the page when the request has a live session.
const found = findSession(root.querySelector('nav') !== null);
const painted = new Promise<void>((resolve) => {
  setTimeout(resolve, document.visibilityState === 'visible' ? PAINT_MS : 0);
  requestAnimationFrame(() => setTimeout(resolve));
});
// Not awaited: the other scripts import modules of this one, and would wait until it has ended.
void painted.then(() => import('./main.tsx')).then(({ draw }) => draw(root, found));
