import { defaultRangeExtractor, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { rowSlots } from './row-slots.ts';

/** Rows beyond the window at either end. */
const OVERSCAN = 2;
/** The usual height of measured rows, by their first estimate. It outlives the screen, so that Back finds the place. */
const usualHeights = new Map<number, number>();

interface VirtualOptions {
  count: number;
  /** The estimated height of rows before any has been measured, in pixels. */
  rowHeight: number;
  /** Keep the function while the keys are the same: another one makes all positions be computed again. */
  keyOf(index: number): string | number;
}

/** A list that keeps only its visible rows in the document. */
export interface VirtualRows {
  /** The height of all rows. */
  height: number;
  items: readonly VirtualItem[];
  /** The key of an item's element. After a jump, the same elements show other rows. */
  elementOf(item: VirtualItem): number;
  /** The offset of an item from the start of the body. */
  startOf(item: VirtualItem): number;
  measure(element: Element | null): void;
  /** The row that has or last had the focus; -1 for none. */
  active: number;
  setActive(index: number): void;
  isFocused(): boolean;
  /** Focuses the first link or button of a row. */
  focus(index: number): void;
  /** Focuses the next or previous row. */
  move(by: number): void;
}

/** Virtual rows in `body`, scrolled with the window. Each row has its index as `data-index` and is measured. */
export function useVirtualRows(body: RefObject<HTMLDivElement | null>, { count, rowHeight, keyOf }: VirtualOptions): VirtualRows {
  const [top, setTop] = useState(0);
  const [active, setActive] = useState(-1);
  // Rows that are as high as estimated are rendered once. Others are rendered again when they have been measured, in each frame of scrolling.
  const [estimate, setEstimate] = useState(() => usualHeights.get(rowHeight) ?? rowHeight);
  const hasLearned = useRef(false);
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const getItemKey = useCallback(keyOf, [keyOf, estimate]);
  // Nothing here is memoised by a compiler, which is what this rule is about.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => estimate,
    overscan: OVERSCAN,
    scrollMargin: top,
    getItemKey,
    // The focused row stays in the document, so that the focus is not lost.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return active >= 0 && active < count && !shown.includes(active) ? [...shown, active].sort((a, b) => a - b) : shown;
    },
  });
  // After every rendering, because elements above the rows come and go. The same number renders nothing again. While the window is scrolled,
  // reading the offset would force a layout in each frame.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  useLayoutEffect(() => {
    if (virtual.isScrolling) return;
    setTop(body.current?.offsetTop ?? 0);
    // Measure once, and only at the top of the list: with unmeasured rows above, the visible rows would jump.
    const shown = [...(body.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])];
    if (hasLearned.current || shown[0]?.dataset['index'] !== '0') return;
    hasLearned.current = true;
    const usual = shown.map(({ offsetHeight }) => offsetHeight).sort((a, b) => a - b)[shown.length >> 1] ?? estimate;
    if (usual === estimate) return;
    usualHeights.set(rowHeight, usual);
    setEstimate(usual);
  });
  const items = virtual.getVirtualItems();
  const isFocused = (): boolean => body.current?.contains(document.activeElement) ?? false;
  const [slotsOf] = useState(() => rowSlots(() => !isFocused()));
  const slots = slotsOf(items.map(({ key }) => key));
  // Nothing else measures an element that shows another row of the same height.
  useLayoutEffect(() => {
    if (slots.generation === 0) return;
    virtual.elementsCache.clear();
    for (const row of body.current?.querySelectorAll<HTMLElement>('[data-index]') ?? []) {
      virtual.measureElement(row);
      virtual.resizeItem(Number(row.dataset['index']), row.offsetHeight);
    }
  }, [slots.generation, body, virtual]);
  const focus = useCallback(
    (index: number): void => {
      if (index < 0 || index >= count) return;
      setActive(index);
      virtual.scrollToIndex(index, { align: 'auto' });
      // A key may follow before the next frame, so a row that is there has the focus at once. Another one is rendered only after scrolling.
      let tries = 20;
      const take = (): void => {
        const target = body.current?.querySelector<HTMLElement>(`[data-index="${index}"] :is(a, button)`);
        if (target) target.focus({ preventScroll: true });
        else if (--tries > 0) requestAnimationFrame(take);
      };
      take();
    },
    [body, count, virtual],
  );
  return {
    height: virtual.getTotalSize(),
    items,
    elementOf: ({ key }) => slots.of.get(key) ?? -1,
    startOf: ({ start }) => start - top,
    measure: virtual.measureElement,
    active,
    setActive,
    isFocused,
    focus,
    move: (by) => focus(active >= 0 && isFocused() ? Math.min(Math.max(active + by, 0), count - 1) : Math.max(active, 0)),
  };
}
