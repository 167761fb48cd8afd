import { ActionIcon } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { Outlet, useRouter } from '@tanstack/react-router';
import { type MouseEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Cross } from '../components/icons.tsx';
import { useKeys } from '../components/use-keys.ts';
import classes from './frame.module.css';
import { KeyHelp, Palette } from './palette.tsx';
import { Home, Rail, type ScreenEntry } from './rail.tsx';
import { TopBar } from './top-bar.tsx';

/** The frame around every screen: the rail (a drawer on narrow screens) and the top bar. */
export function Frame({ screens }: { screens: readonly ScreenEntry[] }) {
  const drawer = useRef<HTMLDialogElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusKept(main);
  const [over, open] = useState<'palette' | 'help' | null>(null);
  useKeys({ '?': () => open('help') });
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k' || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) open('palette');
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
  const close = (): void => open(null);
  const skip = (event: MouseEvent): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#content" onClick={skip}>
        Skip to the content
      </a>
      <nav aria-label="Screens" className={classes['rail']}>
        <Home />
        <Rail screens={screens} />
      </nav>
      <Drawer dialog={drawer} screens={screens} />
      <TopBar onMenu={() => drawer.current?.showModal()} onFind={() => open('palette')} />
      <main ref={main} id="content" tabIndex={-1} className={classes['main']}>
        <Outlet />
      </main>
      <section aria-label="Messages">
        <Notifications position="bottom-right" withinPortal={false} />
      </section>
      {over === 'palette' && <Palette screens={screens} onClose={close} onHelp={() => open('help')} />}
      {over === 'help' && <KeyHelp onClose={close} />}
    </div>
  );
}

/** The rail on a narrow screen. The browser keeps the focus inside and restores it. */
function Drawer({ dialog, screens }: { dialog: RefObject<HTMLDialogElement | null>; screens: readonly ScreenEntry[] }) {
  const close = (): void => dialog.current?.close();
  return (
    <dialog ref={dialog} className={classes['drawer']} aria-label="Menu" closedby="any">
      <div className={classes['drawer-body']}>
        <div className={classes['drawer-head']}>
          <Home />
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close the menu" onClick={close}>
            <Cross />
          </ActionIcon>
        </div>
        <nav aria-label="Screens">
          <Rail screens={screens} onGo={close} />
        </nav>
      </div>
    </dialog>
  );
}

/** If the focused element disappeared with its screen, focus the new screen; otherwise Tab would start at the top. */
function useFocusKept(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const isLost = document.activeElement === document.body || document.activeElement?.checkVisibility() === false;
        if (fromLocation && pathChanged && isLost) main.current?.focus({ preventScroll: true });
      }),
    [main, router],
  );
}
