/** Scrolls to the element of an address and focuses it, so that screen readers read it. */
export function showPlace(element: HTMLElement | null): void {
  if (!element) return;
  element.scrollIntoView({ block: 'center' });
  element.focus({ preventScroll: true });
}
