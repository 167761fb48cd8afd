/** Scrolls to what an address names, and gives it the focus, so that a screen reader reads it. */
export function showPlace(element: HTMLElement | null): void {
  if (!element) return;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
