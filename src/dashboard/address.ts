import { useCallback, useSyncExternalStore } from 'react';
import { addressOf, type Place, placeOf } from './place.ts';

/** The place of this window, and how to go to another. */
export function usePlace(): [Place, (place: Place) => void] {
  const address = useSyncExternalStore(subscribe, () => location.pathname + location.search);
  const go = useCallback((place: Place) => {
    history.pushState(null, '', addressOf(place));
    dispatchEvent(new PopStateEvent('popstate'));
  }, []);
  const [pathname = '', search = ''] = address.split('?');
  return [placeOf(pathname, search), go];
}

function subscribe(changed: () => void): () => void {
  addEventListener('popstate', changed);
  return () => removeEventListener('popstate', changed);
}
