import type { PointerEvent } from 'react';
import { exactly } from './times.ts';

const NAMED = 'time, [title], [role=img][aria-label]';

/**
 * The link of a row covers the row, so the browser shows only the title of the link. This function gives the link the title of the element
 * below the pointer: an exact time, the kind of a workload. Elsewhere the title is `own`. Call it when the pointer moves, and not when it
 * enters, because that would force a layout in each frame while the list is scrolled.
 */
export function showTitleBelow({ currentTarget: link, clientX, clientY }: PointerEvent<HTMLElement>, own = ''): void {
  const row = link.closest('[data-index]');
  const below = document
    .elementsFromPoint(clientX, clientY)
    .filter((one): one is HTMLElement => one !== link && row?.contains(one) === true && one.matches(NAMED));
  const title = below[0] ? titleOf(below[0]) : own;
  if (link.title !== title) link.title = title;
}

function titleOf(element: HTMLElement): string {
  if (element instanceof HTMLTimeElement) return exactly(new Date(element.dateTime));
  return element.title || (element.ariaLabel ?? '');
}
